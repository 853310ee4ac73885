/// What browsers ask of the agent. Whatever arrives here was written by a page: nothing of it is to be trusted.
public protocol BrowserPages: Sendable {
    /// A page requests something of the virtual origin, where no server listens. The browser waits for the answer.
    func answer(_ request: BrowserRequest) async -> BrowserResponse

    /// A page, a frame, a script or a service worker requested a watched address; not our own hidden page. Method and body
    /// are not looked at: the request goes on as it is.
    func saw(_ url: String, in browser: ObjectIdentifier) async

    /// The page that the agent opened is not to be seen any more: it was closed, has crashed, or shows something else than it
    /// may.
    func lost(in browser: ObjectIdentifier) async
}

/// A request that never leaves the browser.
public struct BrowserRequest: Sendable, Equatable {
    /// Which browser: the identity of its confinement's process.
    public var browser: ObjectIdentifier
    public var method: String
    public var url: String
    /// Names in lower case.
    public var headers: [String: String]
    /// At most 64 KiB; a longer body is not delivered, and the request is answered with 413 before it comes here.
    public var body: String

    public init(
        browser: ObjectIdentifier, method: String, url: String, headers: [String: String] = [:], body: String = ""
    ) {
        self.browser = browser
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

public struct BrowserResponse: Sendable, Equatable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: String

    public init(status: Int, headers: [(name: String, value: String)] = [], body: String = "") {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public static func == (left: BrowserResponse, right: BrowserResponse) -> Bool {
        left.status == right.status && left.body == right.body
            && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}
