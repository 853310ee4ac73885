import NIOCore

/// Notes when a connection opens and closes; what passes is none of its business.
final class ConnectionNotes: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    private let connections: LoopbackConnections

    init(connections: LoopbackConnections) { self.connections = connections }

    func channelActive(context: ChannelHandlerContext) {
        connections.opened(context.channel)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.closed(context.channel)
        context.fireChannelInactive()
    }
}
