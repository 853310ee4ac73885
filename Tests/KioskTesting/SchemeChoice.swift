import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Speaks TLS with who begins it and plain HTTP with others, on one port: the browser's choice of scheme shows here.
///
/// It is also a proxy, which takes every name for this machine.
final class SchemeChoice: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let context: NIOSSLContext
    private let responder: SiteResponder
    private var isChosen = false

    init(_ context: NIOSSLContext, _ responder: SiteResponder) {
        self.context = context
        self.responder = responder
    }

    func channelRead(context channel: ChannelHandlerContext, data: NIOAny) {
        if !isChosen {
            isChosen = true
            let bytes = unwrapInboundIn(data).readableBytesView
            if bytes.starts(with: "CONNECT ".utf8) {
                let words = bytes.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
                return connect(channel.channel, to: words.count > 1 ? String(decoding: words[1], as: UTF8.self) : "")
            }
            do {
                let pipeline = channel.pipeline.syncOperations
                // The first byte of a TLS record that is a handshake.
                let isSecure = bytes.first == 0x16
                if isSecure { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
                try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                try pipeline.addHandler(SiteConnection(responder, isSecure: isSecure))
            } catch {
                return channel.close(promise: nil)
            }
        }
        channel.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func connect(_ browser: any Channel, to authority: String) {
        responder.record.change { $0.tunnels.append(authority) }
        guard let colon = authority.lastIndex(of: ":"), let port = Int(authority[colon...].dropFirst()),
            // Pages of the world outside are nothing that a test waits for.
            authority.hasPrefix("localhost:") || authority[..<colon].hasSuffix(".test")
        else { return browser.close(promise: nil) }
        ClientBootstrap(group: browser.eventLoop)
            .channelInitializer { server in
                server.eventLoop.makeCompletedFuture {
                    try server.pipeline.syncOperations.addHandler(TunnelEnd(to: browser))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .whenComplete { result in
                do {
                    try browser.pipeline.syncOperations.addHandler(TunnelEnd(to: try result.get()))
                    browser.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n"), promise: nil)
                } catch {
                    browser.close(promise: nil)
                }
            }
    }
}

/// Carries what comes here to the other end.
private final class TunnelEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        other.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
