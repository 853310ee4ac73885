import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
public import WebText

/// A small HTTP client that keeps cookies, as a browser does, and follows no redirect by itself.
public final class WebClient: Sendable {
    public struct Answer: Sendable {
        /// Where it came from.
        public let url: String
        public let status: Int
        public let headers: [(name: String, value: String)]
        public let text: String

        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        /// Where a redirect leads, as a whole address.
        public var location: String? {
            (300..<400).contains(status) ? header("location").map { WebAddress.resolve($0, from: url) } : nil
        }

        public var json: JSONValue? { JSONValue(Array(text.utf8)) }
    }

    // Never shut down: it lives as long as the tests do.
    private static let client = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let tls: TLSConfiguration?
    private let cookies = Mutex<[String: String]>([:])

    /// - Parameter caFile: A PEM file with the only CA that is trusted; nil: the system's.
    public init(caFile: String? = nil) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let caFile { tls.trustRoots = .file(caFile) }
        self.tls = caFile == nil ? nil : tls
    }

    /// The value of a cookie that it keeps.
    public func cookie(_ name: String) -> String? { cookies.withLock { $0[name] } }

    public func get(_ url: String, headers: [(String, String)] = []) async throws -> Answer {
        try await send(.GET, url, headers: headers)
    }

    public func post(
        _ url: String, form: [(name: String, value: String)], headers: [(String, String)] = []
    ) async throws -> Answer {
        try await send(
            .POST, url, type: "application/x-www-form-urlencoded", body: WebAddress.encoded(form), headers: headers)
    }

    /// - Parameter json: JSON text; nil: no body.
    public func call(_ method: String, _ url: String, json: String? = nil) async throws -> Answer {
        try await send(HTTPMethod(rawValue: method), url, type: "application/json", body: json)
    }

    private func send(
        _ method: HTTPMethod, _ url: String, type: String = "", body: String? = nil, headers: [(String, String)] = []
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.tlsConfiguration = tls
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            request.headers.replaceOrAdd(name: "content-type", value: type)
            request.body = .bytes(ByteBuffer(string: body))
        }
        let kept = cookies.withLock { $0 }
        if !kept.isEmpty {
            let line = kept.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            request.headers.add(name: "cookie", value: line)
        }
        let response = try await Self.client.execute(request, timeout: .seconds(30))
        let text = String(buffer: try await response.body.collect(upTo: 16 << 20))
        for cookie in response.headers["set-cookie"] { keep(cookie) }
        return Answer(
            url: url, status: Int(response.status.code),
            headers: response.headers.map { (name: $0.name, value: $0.value) }, text: text)
    }

    private func keep(_ cookie: String) {
        let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false),
            pair.count == 2
        else { return }
        // Providers take a cookie back by an empty value or an age of 0.
        let isGone = pair[1].isEmpty || parts.contains { $0.lowercased() == "max-age=0" }
        cookies.withLock { $0[String(pair[0])] = isGone ? nil : String(pair[1]) }
    }
}
