import NIOCore
import NIOHTTP1
import NIOPosix

/// A little HTTP server on loopback that answers everything with 200 and tells what came: log-out notices, say.
public final class NoticeReceiver: Sendable {
    public struct Notice: Sendable {
        public let method: String
        /// Path and query.
        public let target: String
        public let body: String
    }

    /// `http://127.0.0.1:port`.
    public let origin: String
    private let channel: any Channel
    private let notices: AsyncStream<Notice>

    init() async throws {
        let (notices, continuation) = AsyncStream.makeStream(of: Notice.self)
        self.notices = notices
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(continuation))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        origin = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
    }

    /// The next one, also one that came before; nil when the test's time is over.
    public func next() async -> Notice? {
        for await notice in notices { return notice }
        return nil
    }

    func stop() async { try? await channel.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private static let largestBody = 1 << 20
        private let notices: AsyncStream<Notice>.Continuation
        private var head: HTTPRequestHead?
        private var body = ""

        init(_ notices: AsyncStream<Notice>.Continuation) { self.notices = notices }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = ""
            case .body(let part):
                if body.utf8.count < Self.largestBody { body += String(buffer: part) }
            case .end:
                guard let head else { return }
                let headers: HTTPHeaders = ["content-length": "0", "connection": "close"]
                context.write(
                    wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))),
                    promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
                notices.yield(Notice(method: head.method.rawValue, target: head.uri, body: body))
            }
        }
    }
}

/// Runs `body` with a receiver that is gone afterwards.
public func withNoticeReceiver<Result>(_ body: (NoticeReceiver) async throws -> Result) async throws -> Result {
    let receiver = try await NoticeReceiver()
    do {
        let result = try await body(receiver)
        await receiver.stop()
        return result
    } catch {
        await receiver.stop()
        throw error
    }
}
