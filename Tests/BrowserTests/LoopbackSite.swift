import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A small web site on loopback.
final class LoopbackSite: Sendable {
    struct Page: Sendable {
        var status = HTTPResponseStatus.ok
        var headers = [("Content-Type", "text/html; charset=utf-8")]
        var body = ""

        static func redirect(_ address: String) -> Page { Page(status: .found, headers: [("Location", address)]) }
        static func script(_ body: String) -> Page { Page(headers: [("Content-Type", "text/javascript")], body: body) }
    }

    let port: Int
    private let pages: Mutex<[String: Page]>
    private let requests = Mutex<[String]>([])
    private let heads = Mutex<[HTTPRequestHead]>([])
    private let channel: any Channel

    /// `localhost` counts as secure, so that service workers may be had.
    var origin: String { "http://localhost:\(port)" }

    /// - Parameter pages: By path. Requests to other paths are never answered.
    init(_ pages: [String: Page]) async throws {
        self.pages = Mutex(pages)
        let handling = Handling()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(handling))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
        handling.site.withLock { $0 = Weak(self) }
    }

    deinit { channel.close(promise: nil) }

    func set(_ path: String, _ page: Page) { pages.withLock { $0[path] = page } }

    /// What is asked for below that path, and in which languages.
    func asked(_ path: String) -> [(query: String, languages: String)] {
        heads.withLock { $0 }.filter { $0.uri.hasPrefix(path) }.map {
            (String($0.uri.dropFirst(path.count)), $0.headers.first(name: "Accept-Language") ?? "")
        }
    }

    /// `GET /path` of each.
    var requested: [String] { requests.withLock { $0 } }

    fileprivate func page(for head: HTTPRequestHead) -> Page? {
        let path = String(head.uri.prefix { $0 != "?" })
        heads.withLock { $0.append(head) }
        requests.withLock { $0.append("\(head.method) \(path)") }
        return pages.withLock { $0[path] }
    }

    private struct Weak: Sendable {
        weak let site: LoopbackSite?

        init(_ site: LoopbackSite?) { self.site = site }
    }

    private final class Handling: Sendable {
        let site = Mutex(Weak(nil))
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let handling: Handling
        private var head: HTTPRequestHead?

        init(_ handling: Handling) { self.handling = handling }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body: break
            case .end:
                guard let head, let page = handling.site.withLock({ $0.site })?.page(for: head) else { return }
                var headers = HTTPHeaders(page.headers)
                headers.add(name: "Content-Length", value: "\(page.body.utf8.count)")
                let response = HTTPResponseHead(version: head.version, status: page.status, headers: headers)
                context.write(wrapOutboundOut(.head(response)), promise: nil)
                let body = context.channel.allocator.buffer(string: page.body)
                context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
