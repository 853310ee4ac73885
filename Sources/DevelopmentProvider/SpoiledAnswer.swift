import HTTPTypes
import HummingbirdCore
import NIOCore

/// What comes when the provider does not answer as it should.
enum SpoiledAnswer {
    private static let hugeSize = 64 * 1024 * 1024
    /// Seconds after which the client may ask again.
    private static let patience = 30

    static func make(_ kind: WireConduct.Instead, request: Request, channel: any Channel) async throws -> Response {
        switch kind {
        case .hang:
            try await hang(request)
            return Response(status: .serviceUnavailable)
        case .refuse:
            try? await channel.close()
            return Response(status: .serviceUnavailable)
        case .serverError:
            return text("<html><body><h1>Internal Server Error</h1></body></html>", "text/html", .internalServerError)
        case .throttled: return later("\(patience)", .tooManyRequests)
        case .busy:
            return later(SystemTime.httpDate(in: patience), .serviceUnavailable)
        case .page: return text("<html><body><p>Welcome to the guest network.</p></body></html>", "text/html", .ok)
        case .garbage:
            var response = Response(
                status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: Unguessable.bytes(4096))))
            response.headers[.contentType] = "application/json"
            return response
        case .huge: return huge()
        case .redirectToItself:
            var response = Response(status: .temporaryRedirect)
            response.headers[.location] = request.head.path ?? "/"
            return response
        }
    }

    private static func later(_ when: String, _ status: HTTPResponse.Status) -> Response {
        var response = text(#"{"error":"temporarily_unavailable"}"#, "application/json", status)
        response.headers[.retryAfter] = when
        return response
    }

    /// Until the client goes away or the provider stops.
    private static func hang(_ request: Request) async throws {
        _ = try? await request.body.consumeWithCancellationOnInboundClose { _ in
            try await Task.sleep(for: .seconds(600))
        }
    }

    private static func text(_ text: String, _ type: String, _ status: HTTPResponse.Status) -> Response {
        var response = Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        response.headers[.contentType] = type
        return response
    }

    /// One JSON text, written piece by piece.
    private static func huge() -> Response {
        let piece = ByteBuffer(repeating: UInt8(ascii: "A"), count: 64 * 1024)
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "{\"padding\":\""))
            for _ in 0..<(hugeSize / (64 * 1024)) { try await writer.write(piece) }
            try await writer.write(ByteBuffer(string: "\"}"))
            try await writer.finish(nil)
        }
        var response = Response(status: .ok, body: body)
        response.headers[.contentType] = "application/json"
        return response
    }
}
