import NIOCore
import NIOHTTP1

/// One connection of a browser.
final class SiteConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let number: Int
    private let isSecure: Bool
    private let responder: SiteResponder
    private var request: SiteRequest?

    init(_ responder: SiteResponder, isSecure: Bool) {
        self.responder = responder
        self.isSecure = isSecure
        number = responder.newConnection()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // A browser that takes this for its proxy sends the whole address.
            let path = head.uri.hasPrefix("http://") ? head.uri.dropFirst(7).drop { $0 != "/" } : head.uri[...]
            request = SiteRequest(
                method: head.method.rawValue, target: String(path), headers: head.headers.map { ($0.name, $0.value) },
                connection: number, isSecure: isSecure)
        case .body(let bytes):
            guard request.map({ $0.body.count < 1 << 20 }) == true else { return }
            request?.body += bytes.readableBytesView
        case .end:
            guard let request else { return }
            let channel = context.channel
            responder.answer(request) { Self.send($0, to: channel) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        responder.connectionEnded(number)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private static func send(_ answer: SiteAnswer, to channel: any Channel) {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        headers.replaceOrAdd(name: "Content-Length", value: "\(answer.body.count)")
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: answer.body))), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }
}
