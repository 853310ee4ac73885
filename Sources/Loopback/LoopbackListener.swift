import HTTPTypes
import HummingbirdCore
public import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The little HTTP server on 127.0.0.1 that redirects and log-out notices of the provider come in by.
///
/// It only carries: what an answer or a notice is worth, the client of the provider decides. Every local process can
/// reach it, so it answers nothing that is not on its pages anyway.
public actor LoopbackListener {
    /// What it brings in.
    public struct Receiver: Sendable {
        /// A redirect of a sign-in; true if a sign-in waited for it.
        public var redirect: @Sendable (String) async -> Bool
        /// OpenID Connect Front-Channel Logout 1.0.
        public var frontChannel: @Sendable (_ issuer: String?, _ sessionID: String?) async -> Bool
        /// OpenID Connect Back-Channel Logout 1.0: the posted form; whether its token was right.
        public var backChannel: @Sendable (_ form: String) async -> Bool

        public init(
            redirect: @escaping @Sendable (String) async -> Bool,
            frontChannel: @escaping @Sendable (_ issuer: String?, _ sessionID: String?) async -> Bool,
            backChannel: @escaping @Sendable (_ form: String) async -> Bool
        ) {
            self.redirect = redirect
            self.frontChannel = frontChannel
            self.backChannel = backChannel
        }
    }

    public enum Paths {
        public static let redirect = "/signed-in"
        static let done = "/done"
        public static let signedOut = "/signed-out"
        public static let frontChannel = "/front-channel-logout"
        public static let backChannel = "/back-channel-logout"
    }

    private let wanted: Int
    private let receiver: Receiver
    private let executor: (any TaskExecutor)?
    private let log: Logger
    private var running: (port: Int, channel: any Channel, group: ServiceGroup, task: Task<Void, Never>)?
    private var starting: Task<Int?, Never>?
    private let connections: LoopbackConnections
    private static let largestBody = 64 << 10
    /// Beyond them some are ended for each newcomer.
    private static let mostConnections = 256

    /// - Parameters:
    ///   - port: 0: any free one.
    ///   - patience: How long a connection may take to bring a whole request, or the next one.
    ///   - executor: Where its tasks run; nil: the pool.
    public init(
        port: UInt16, receiver: Receiver, executor: (any TaskExecutor)?, patience: Duration = .seconds(15), log: Logger
    ) {
        wanted = Int(port)
        connections = LoopbackConnections(most: Self.mostConnections, patience: patience, log: log)
        self.executor = executor
        self.receiver = receiver
        self.log = log
    }

    /// The port that it listens on, after it has begun to if need be; nil when another program has the port.
    public func port() async -> Int? {
        if let running { return running.port }
        let starting = starting ?? Task(executorPreference: executor) { await self.start() }
        self.starting = starting
        let port = await starting.value
        self.starting = nil
        return port
    }

    private func start() async -> Int? {
        let (channels, found) = AsyncStream.makeStream(of: (any Channel).self)
        var quiet = log
        quiet.logLevel = .error
        let group: ServiceGroup
        do {
            let server = try server(log: quiet) { channel in found.yield(channel) }
            group = ServiceGroup(configuration: .init(services: [server], logger: quiet))
        } catch {
            log.warning("the loopback listener cannot begin", metadata: ["error": "\(error)"])
            return nil
        }
        let log = log
        let task = Task(executorPreference: executor) {
            do {
                try await group.run()
            } catch is CancellationError {
            } catch {
                log.warning("the loopback listener has ended", metadata: ["error": "\(error)"])
            }
            found.finish()
            await self.ended()
        }
        for await channel in channels {
            guard let port = channel.localAddress?.port else { break }
            running = (port, channel, group, task)
            return port
        }
        return nil
    }

    /// No more of Hummingbird than its server: its `Application` has a clock that wakes the program every second.
    private func server(
        log: Logger, onServerRunning: @escaping @Sendable (any Channel) async -> Void
    ) throws -> any Service {
        let connections = connections
        return try HTTPServerBuilder.http1(
            configuration: .init(additionalChannelHandlers: [ConnectionNotes(connections: connections)])
        ).buildServer(
            configuration: ServerConfiguration(
                address: .hostname("127.0.0.1", port: wanted),
                // Those that are being closed count, too.
                availableConnectionsDelegate: MaximumAvailableConnections(2 * Self.mostConnections)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: log,
            responder: { [executor] request, writer, channel in
                var request = request
                var response = LoopbackPage.badNotice
                if (try? await request.collectBody(upTo: Self.largestBody)) != nil {
                    let work = Task(executorPreference: executor) { [weak self, request] in
                        await self?.respond(to: request) ?? LoopbackPage.badNotice
                    }
                    connections.begins(channel, work)
                    response = await work.value
                }
                response.headers[.date] = HTTPDate.now()
                try await writer.write(response: response.head, body: response.body)
                connections.answered(channel)
            }, onServerRunning: onServerRunning)
    }

    /// The next sign-in starts it again.
    private func ended() { running = nil }

    public func stop() async {
        _ = await starting?.value
        guard let running else { return }
        self.running = nil
        // A connection that is accepted and then handled by none is a fatal error of swift-nio, so it accepts no more before it
        // ends; those under way have gone to another loop and back.
        try? await running.channel.setOption(.autoRead, value: false).get()
        for _ in 0..<3 {
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
        }
        await running.group.triggerGracefulShutdown()
        try? await running.channel.closeFuture.get()
        // Connections that a browser keeps open must not keep the daemon.
        connections.endAll()
        await running.task.value
    }

    private func respond(to request: Request) async -> Response {
        switch (request.method, request.uri.path) {
        case (.get, Paths.redirect):
            guard let port = running?.port, Self.isAddressed(request, to: port) else { return LoopbackPage.strange }
            guard await receiver.redirect("http://127.0.0.1:\(port)\(request.uri.string)") else {
                return LoopbackPage.unknown
            }
            // Away from the address that has the code in it, which else stays in the browser's history.
            return LoopbackPage.redirect(to: Paths.done)
        case (.get, Paths.done): return LoopbackPage.arrived
        case (.get, Paths.signedOut): return LoopbackPage.signedOut
        case (.get, Paths.frontChannel):
            let query = request.uri.queryParameters
            let isRight = await receiver.frontChannel(query["iss"].map(String.init), query["sid"].map(String.init))
            return isRight ? LoopbackPage.signedOut : LoopbackPage.strange
        case (.post, Paths.backChannel):
            guard let body = try? await request.body.collect(upTo: Self.largestBody) else {
                return LoopbackPage.badNotice
            }
            return await receiver.backChannel(String(buffer: body)) ? LoopbackPage.noticed : LoopbackPage.badNotice
        default: return LoopbackPage.nowhere
        }
    }

    /// A page elsewhere that got its own name to point here must not be able to deliver anything.
    private static func isAddressed(_ request: Request, to port: Int) -> Bool {
        ["127.0.0.1:\(port)", "localhost:\(port)"].contains(request.head.authority ?? "")
    }
}
