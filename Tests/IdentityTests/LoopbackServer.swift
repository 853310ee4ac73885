import Identity
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A small HTTP server on 127.0.0.1 that answers as a test says, with or without TLS.
final class LoopbackServer: Sendable {
    struct Request: Sendable {
        var method: String
        var target: String
        var headers: [(name: String, value: String)]
        var body: String

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    typealias Answer = @Sendable (Request) async -> HTTPResponse

    private let channel: any Channel
    private let record: RequestRecord
    let port: Int

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { record.requests }

    private init(channel: any Channel, record: RequestRecord) {
        self.channel = channel
        self.record = record
        port = channel.localAddress?.port ?? 0
    }

    /// Starts a server for the time of the call.
    static func run<Value: Sendable>(
        certificate: TestCertificates.Pair? = nil, answer: @escaping Answer,
        _ body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let record = RequestRecord()
        let context = try certificate.map { try NIOSSLContext(configuration: $0.serverConfiguration) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(record: record, answer: answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = LoopbackServer(channel: channel, record: record)
        do {
            let value = try await body(server)
            try await channel.close()
            return value
        } catch {
            try? await channel.close()
            throw error
        }
    }
}

/// What a server was asked.
private final class RequestRecord: Sendable {
    private let list = Mutex<[LoopbackServer.Request]>([])

    var requests: [LoopbackServer.Request] { list.withLock { $0 } }

    func note(_ request: LoopbackServer.Request) { list.withLock { $0.append(request) } }
}

private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let record: RequestRecord
    private let answer: LoopbackServer.Answer
    private var head: HTTPRequestHead?
    private var body = ""

    init(record: RequestRecord, answer: @escaping LoopbackServer.Answer) {
        self.record = record
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = ""
        case .body(let bytes): body += String(buffer: bytes)
        case .end:
            guard let head else { return }
            let request = LoopbackServer.Request(
                method: head.method.rawValue, target: head.uri, headers: head.headers.map { ($0.name, $0.value) },
                body: body)
            record.note(request)
            let channel = context.channel
            let answer = answer
            Task {
                let response = await answer(request)
                var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
                headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.count)")
                let head = HTTPResponseHead(
                    version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
                channel.write(HTTPServerResponsePart.head(head), promise: nil)
                channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: response.body))), promise: nil)
                channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
            }
        }
    }
}

extension TestCertificates.Pair {
    var serverConfiguration: TLSConfiguration {
        get throws {
            let certificates = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
            return TLSConfiguration.makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        }
    }
}
