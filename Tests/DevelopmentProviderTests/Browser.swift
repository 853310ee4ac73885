import AsyncHTTPClient
import DevelopmentProvider
import NIOCore
import NIOHTTP1
import Testing
import WebText

/// A little browser: it keeps cookies, fills forms and does not follow redirects.
actor Browser {
    struct Page: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var text: String

        var location: String? { headers.first(name: "location") }
        var json: JSONValue { JSONValue.unbounded(text.utf8) ?? .null }
        var bytes: Int { text.utf8.count }

        /// The fields of the redirect.
        var answer: [String: String] { Browser.fields(of: location ?? "") }

        /// The hidden fields of the page's first form.
        var hidden: [String: String] {
            var result: [String: String] = [:]
            for piece in text.components(after: "<input type=\"hidden\" name=\"") {
                let parts = piece.split(separator: "\"", omittingEmptySubsequences: false)
                if parts.count > 2 { result[String(parts[0])] = String(parts[2]) }
            }
            return result
        }

        /// Where the page's first form goes.
        var action: String? {
            text.components(after: "action=\"").first.map { String($0.prefix { $0 != "\"" }) }
        }
    }

    static let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    private var cookies: [String: String] = [:]

    func get(_ address: String, _ fields: [(String, String)] = [], bearer: String? = nil) async throws -> Page {
        var request = HTTPClientRequest(url: address + (fields.isEmpty ? "" : "?" + Self.encoded(fields)))
        if let bearer { request.headers.add(name: "authorization", value: "Bearer \(bearer)") }
        return try await send(request)
    }

    func post(
        _ address: String, _ fields: [(String, String)], headers: [(String, String)] = []
    ) async throws -> Page {
        var request = HTTPClientRequest(url: address)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        request.headers.add(contentsOf: headers)
        request.body = .bytes(ByteBuffer(string: Self.encoded(fields)))
        return try await send(request)
    }

    func postJSON(_ address: String, _ json: JSONValue) async throws -> Page {
        var request = HTTPClientRequest(url: address)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: json.bytes))
        return try await send(request)
    }

    /// Sends the page's form with these fields beside the hidden ones.
    func submit(_ page: Page, to base: String, _ fields: [(String, String)]) async throws -> Page {
        let action = try #require(page.action)
        return try await post(base + action, page.hidden.map { ($0.key, $0.value) } + fields)
    }

    private func send(_ request: HTTPClientRequest) async throws -> Page {
        var request = request
        if !cookies.isEmpty {
            request.headers.add(
                name: "cookie", value: cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        let answer = try await Self.client.execute(request, timeout: .seconds(20))
        for cookie in answer.headers["set-cookie"] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if let name = pair.first { cookies[String(name)] = pair.count > 1 ? String(pair[1]) : nil }
        }
        let body = try await answer.body.collect(upTo: 80 * 1024 * 1024)
        return Page(status: Int(answer.status.code), headers: answer.headers, text: String(buffer: body))
    }

    static func encoded(_ fields: [(String, String)]) -> String {
        fields.map { escaped($0.0) + "=" + escaped($0.1) }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = byte < 128 && (character.isLetter || character.isNumber || "-._~".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    static func fields(of address: String) -> [String: String] {
        var result: [String: String] = [:]
        for pair in address.drop(while: { $0 != "?" && $0 != "#" }).dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { result[String(parts[0])] = unescaped(String(parts[1])) }
        }
        return result
    }

    private static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// What follows each place where the text is.
    func components(after text: String) -> [String] {
        var result: [String] = []
        var rest = Substring(self)
        while let start = rest.firstRange(of: text) {
            rest = rest[start.upperBound...]
            result.append(String(rest))
        }
        return result
    }
}
