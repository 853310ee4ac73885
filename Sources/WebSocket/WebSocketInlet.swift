import NIOCore
import NIOWebSocket

/// The end of the pipeline: whole frames become messages, and what the protocol asks for is answered.
final class WebSocketInlet: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let messages: WebSocketMessages

    init(_ messages: WebSocketMessages) { self.messages = messages }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = Self.unwrapInboundIn(data)
        var content = frame.unmaskedData
        switch frame.opcode {
        case .text:
            guard let text = try? content.readUTF8ValidatedString(length: content.readableBytes), messages.add(text)
            else {
                context.close(promise: nil)
                return
            }
        case .ping: answer(.pong, content, context)
        case .connectionClose:
            answer(.connectionClose, content, context)
            context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        messages.finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { messages.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ opcode: WebSocketOpcode, _ content: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .strong(), data: content)
        context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
    }
}
