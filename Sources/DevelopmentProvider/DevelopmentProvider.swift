import AsyncHTTPClient
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOPosix
import NIOSSL
public import ServiceLifecycle
public import WebText

/// A small OpenID provider for development, tests and the demo. It listens on a loopback address only.
///
/// It knows nothing of the module that Baton signs in with: each reads the standards of OpenID for itself. They share the
/// readers and writers of texts alone (`WebText`), which have tests of their own.
public final class DevelopmentProvider: Service {
    /// Where it listens.
    public struct Address: Sendable, Equatable {
        /// Scheme, host and port: `http://127.0.0.1:40123`.
        public var base: String
        /// Of the home tenant, where there are tenants.
        public var issuer: String
        public var port: Int
    }

    private let options: ProviderOptions
    private let log: Logger
    private let logouts: LogoutDelivery
    private let server: AuthorizationServer
    private let bound = Promise<Address>()

    /// - Parameter clock: Seconds since 1970.
    /// - Throws: `ProviderOptions.Fault` for what cannot be.
    public init(
        _ options: ProviderOptions,
        log: Logger = Logger(label: "baton-devidp") { _ in SwiftLogNoOpLogHandler() },
        clock: @escaping @Sendable () -> Double = { SystemTime.now() }
    ) throws {
        try options.check()
        self.options = options
        self.log = log
        logouts = LogoutDelivery(log: log)
        server = try AuthorizationServer(options, logouts: logouts, clock: clock)
    }

    /// Waits until the port is bound.
    public var address: Address {
        get async throws { try await bound.wait() }
    }

    /// Serves until the task is canceled or a graceful shutdown begins; open requests are cut off then.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.serve() }
        } catch is CancellationError {
        } catch {
            await bound.announce(.failure(error))
            throw error
        }
        await bound.announce(.failure(CancellationError()))
    }

    /// Serves while the body runs.
    public func whileRunning<Value: Sendable>(
        _ body: @escaping @Sendable (Address) async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.run() }
            let value = try await body(address)
            group.cancelAll()
            return value
        }
    }

    private func serve() async throws {
        for client in options.clients ?? [] {
            guard let key = client.publicKey else { continue }
            do {
                _ = try await ReceivedClientAssertion.keys(key)
            } catch {
                throw ProviderOptions.Fault.publicKey(client: client.id)
            }
        }
        let host = options.host == "localhost" ? "127.0.0.1" : options.host.filter { $0 != "[" && $0 != "]" }
        let responder = ProviderResponder(
            server: server, hostNames: hostNames(host), delay: options.delay, log: log)
        let listener = try builder().buildServer(
            configuration: ServerConfiguration(address: .hostname(host, port: options.port)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "http") { _ in SwiftLogNoOpLogHandler() },
            responder: { request, writer, channel in
                let response = try await responder.answer(request, channel)
                try await writer.write(response: response.head, body: response.body)
            }, onServerRunning: { await self.announce($0, host: host) })
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: LogoutDelivery.clientConfiguration)
        let outcome: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await self.logouts.run(client) }
                group.addTask { try await listener.run() }
                try await group.next()
                group.cancelAll()
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try? await client.shutdown()
        try outcome.get()
    }

    private func announce(_ channel: any Channel, host: String) async {
        let port = channel.localAddress?.port ?? options.port
        let name = options.hostName ?? (host.contains(":") ? "[\(host)]" : host)
        let base = "\(options.certificateFile == nil ? "http" : "https")://\(name):\(port)"
        await server.start(at: base)
        await bound.announce(.success(Address(base: base, issuer: server.homeIssuer, port: port)))
    }

    private func hostNames(_ host: String) -> Set<String> {
        Set(["localhost", "127.0.0.1", "[::1]", host, options.hostName?.lowercased() ?? host])
    }

    private func builder() throws -> HTTPServerBuilder {
        guard let certificate = options.certificateFile, let key = options.keyFile else { return .http1() }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
            return try .tls(
                tlsConfiguration: .makeServerConfiguration(
                    certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))))
        } catch {
            throw ProviderOptions.Fault.certificate("\(error)")
        }
    }
}

/// What `/control` does, for tests in the same process.
extension DevelopmentProvider {
    /// Clears first, then sets; `all` clears everything, `hang@token` is one endpoint's.
    public func misbehave(set: [String] = [], clear: [String] = []) async throws(Misconduct.Fault) {
        try await server.change(set: set, clear: clear)
    }

    public func misbehave(_ misbehaviours: Misbehaviour...) async throws(Misconduct.Fault) {
        try await server.change(set: misbehaviours.map(\.rawValue), clear: [])
    }

    /// The members of `GET /control/state`.
    public var state: JSONValue {
        get async { await server.state }
    }

    public func rotateKeys() async throws { try await server.rotateKeys() }

    /// Ends the sessions of one person, or all sessions, and sends log-out tokens; returns how many.
    @discardableResult
    public func endSessions(username: String? = nil) async -> Int { await server.endSessions(username: username) }
}
