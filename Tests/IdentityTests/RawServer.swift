import NIOCore
import NIOPosix
import Synchronization

/// Something on 127.0.0.1 that speaks whatever a test wants, after it was spoken to.
enum RawServer {
    enum Conduct: Sendable {
        /// Sends these bytes and closes.
        case say([UInt8])
        /// Sends the first bytes, and then one byte of the second again and again.
        case trickle([UInt8], UInt8)
        /// Sends the first bytes, and then the second ones as fast as they are taken.
        case flood([UInt8], [UInt8])
        /// Never says a word.
        case silence
    }

    static func run<Value: Sendable>(
        _ conduct: @escaping @Sendable () -> Conduct, _ body: (String) async throws -> Value
    ) async throws -> Value {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawHandler(conduct: conduct()))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let value = try await body("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
            try await channel.close()
            return value
        } catch {
            try? await channel.close()
            throw error
        }
    }
}

private final class RawHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let conduct: RawServer.Conduct
    private var hasSpoken = false
    private var repetition: RepeatedTask?

    init(conduct: RawServer.Conduct) { self.conduct = conduct }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasSpoken else { return }
        hasSpoken = true
        switch conduct {
        case .say(let bytes):
            let channel = context.channel
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
                channel.close(promise: nil)
            }
        case .trickle(let start, let byte):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: start)), promise: nil)
            let channel = context.channel
            repetition = context.eventLoop.scheduleRepeatedTask(
                initialDelay: .milliseconds(5), delay: .milliseconds(5)
            ) { _ in channel.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil) }
        case .flood(let start, let rest):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: start)), promise: nil)
            Self.flood(context.channel, ByteBuffer(bytes: rest))
        case .silence: break
        }
    }

    private static func flood(_ channel: any Channel, _ bytes: ByteBuffer) {
        channel.writeAndFlush(bytes).whenSuccess {
            // In a turn of its own: a write that is done at once would go one call deeper each time.
            channel.eventLoop.execute { flood(channel, bytes) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        repetition?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
