import CLinux
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Testing
import WebSocket

/// The server's end of a connection, which sends what it is told to and hands on what it gets.
final class WebSocketPeer: Sendable {
    let channel: any Channel
    let frames: AsyncStream<WebSocketFrame>

    /// - Returns: A peer, and the descriptor of the other end.
    static func make(agrees: Bool = true) async throws -> (WebSocketPeer, Int32) {
        var ends: [CInt] = [-1, -1]
        #expect(baton_socket_pair(&ends) == 0)
        let (frames, inlet) = AsyncStream.makeStream(of: WebSocketFrame.self)
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: 1 << 20,
            shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(agrees ? [:] : nil) },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Inlet(inlet))
                }
            })
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
                }
            }
            .withConnectedSocket(ends[0]).get()
        return (WebSocketPeer(channel: channel, frames: frames), ends[1])
    }

    private init(channel: any Channel, frames: AsyncStream<WebSocketFrame>) {
        self.channel = channel
        self.frames = frames
    }

    func send(_ opcode: WebSocketOpcode, _ bytes: some Collection<UInt8>, isLast: Bool = true) async throws {
        let data = channel.allocator.buffer(bytes: bytes)
        try await channel.writeAndFlush(WebSocketFrame(fin: isLast, opcode: opcode, data: data)).get()
    }

    /// The next frame's opcode and text.
    func next() async -> (WebSocketOpcode, String)? {
        for await frame in frames { return (frame.opcode, String(buffer: frame.unmaskedData)) }
        return nil
    }

    private final class Inlet: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        private let inlet: AsyncStream<WebSocketFrame>.Continuation

        init(_ inlet: AsyncStream<WebSocketFrame>.Continuation) { self.inlet = inlet }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { inlet.yield(Self.unwrapInboundIn(data)) }

        func channelInactive(context: ChannelHandlerContext) { inlet.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
