import WebText

/// One way to the provider: HTTPS in production, something that misbehaves on demand in tests of single parts.
public protocol HTTPExchange: Sendable {
    /// Sends a request and returns the answer whatever its status; redirects are not followed.
    ///
    /// - Throws: `IdentityError` with `network`, `tls`, `timeout`, `invalidAnswer` or `canceled`.
    func send(_ request: HTTPRequest) async throws(IdentityError) -> HTTPResponse
}

/// A request to the provider.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    public var method: Method
    public var url: String
    /// Fields of an `application/x-www-form-urlencoded` body; nil: no body.
    public var form: [(name: String, value: String)]?
    public var headers: [(name: String, value: String)]
    /// Sent as `client-request-id` too, which Entra ID logs.
    public var correlationID: String

    public init(
        _ method: Method, _ url: String, form: [(name: String, value: String)]? = nil,
        headers: [(name: String, value: String)] = [], correlationID: String
    ) {
        self.method = method
        self.url = url
        self.form = form
        self.headers = headers
        self.correlationID = correlationID
    }
}

/// The provider's answer.
public struct HTTPResponse: Sendable {
    /// What an answer may weigh at most, in bytes; larger ones are `invalidAnswer`.
    public static let largestBody = JSONValue.largest

    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of this name, whatever its case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
