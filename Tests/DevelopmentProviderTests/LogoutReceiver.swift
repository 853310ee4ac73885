import NIOCore
import NIOHTTP1
import NIOPosix

/// A client's address for log-out tokens: it accepts every request and keeps the bodies.
struct LogoutReceiver {
    let address: String
    let bodies: AsyncStream<String>

    static func run<Value: Sendable>(_ body: (LogoutReceiver) async throws -> Value) async throws -> Value {
        let (bodies, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(100))
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(bodies: continuation))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        do {
            let value = try await body(
                LogoutReceiver(address: "http://127.0.0.1:\(port)/backchannel", bodies: bodies))
            try await channel.close()
            return value
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// The claims of the next log-out tokens.
    func tokens(_ count: Int) async -> [String] {
        var result: [String] = []
        guard count > 0 else { return [] }
        for await body in bodies {
            result.append(Browser.fields(of: "?" + body)["logout_token"] ?? "")
            if result.count == count { break }
        }
        return result
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let bodies: AsyncStream<String>.Continuation
        private var text = ""

        init(bodies: AsyncStream<String>.Continuation) { self.bodies = bodies }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: text = ""
            case .body(let buffer): text += String(buffer: buffer)
            case .end:
                bodies.yield(text)
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "0"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
