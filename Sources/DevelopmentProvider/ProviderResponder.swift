import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import WebText

/// Between the wire and the provider: reads requests, writes answers, and spoils them on demand.
struct ProviderResponder {
    let server: AuthorizationServer
    let hostNames: Set<String>
    let delay: Duration
    let log: Logger

    /// What the request gets, whatever happens.
    ///
    /// - Throws: `HTTPParserError`, which the server answers itself.
    func answer(_ request: Request, _ channel: any Channel) async throws -> Response {
        var response: Response
        do {
            response = try await respond(to: request, channel)
        } catch let fault as HTTPParserError {
            throw fault
        } catch {
            log.debug("A request has no answer", metadata: ["error": "\(error)"])
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = SystemTime.httpDate()
        return response
    }

    private func respond(to request: Request, _ channel: any Channel) async throws -> Response {
        guard isForUs(request) else { return Response(status: .misdirectedRequest) }
        guard let route = server.layout.route(request.uri.path) else { return Response(status: .notFound) }
        let conduct = await server.conduct(at: route.endpoint)
        log.debug("A request came in", metadata: ["endpoint": "\(route.endpoint.rawValue)"])
        if conduct.waitsBefore { try await Task.sleep(for: delay) }
        if let pause = conduct.pause { try await Task.sleep(for: pause) }
        if let instead = conduct.instead {
            return try await SpoiledAnswer.make(instead, request: request, channel: channel)
        }
        let exchange: Exchange
        do {
            exchange = try await Exchange(request, route)
        } catch is NIOTooManyBytesError {
            return Response(status: .contentTooLarge)
        }
        if route.endpoint == .control, request.headers[.origin] != nil { return Response(status: .forbidden) }
        let answer = conduct.applied(to: await server.answer(exchange))
        if conduct.waitsAfter { try await Task.sleep(for: delay) }
        let response = Response(answer)
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// A page that resolves its own name to this machine is not served.
    private func isForUs(_ request: Request) -> Bool {
        guard let authority = request.head.authority?.lowercased() else { return false }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return hostNames.contains(String(host)) || host.hasSuffix(".localhost")
    }
}

extension Exchange {
    init(_ request: Request, _ route: Route) async throws {
        self.init(method: request.method.rawValue, route: route)
        query = ReceivedFields(request.uri.query ?? "")
        authorization = request.headers[.authorization]
        for pair in (request.headers[.cookie] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            if parts.count == 2, let name = parts.first, let value = parts.last { cookies[name] = value }
        }
        let body = try await request.body.collect(upTo: Self.largestBody)
        let type = request.headers[.contentType]?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") {
            form = ReceivedFields(String(buffer: body))
        } else if type.hasPrefix("application/json") {
            json = JSONValue(body.readableBytesView)
        }
        let wanted =
            HTTPField.Name("client-request-id").flatMap { request.headers[$0] } ?? query["client-request-id"]
            ?? form["client-request-id"]
        correlationID = Self.correlation(wanted)
    }

    /// What the client calls the request, or something of our own; only letters that can stand anywhere.
    private static func correlation(_ text: String?) -> String {
        if let text, (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }),
            text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" })
        {
            return text
        }
        return UUID().uuidString.lowercased()
    }
}

extension Response {
    fileprivate init(_ answer: HTTPAnswer) {
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        if let type = answer.contentType { headers[.contentType] = type }
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}
