import BusTesting
import WebText

/// Does what the script in Glewlwyd's pages does for a worker.
public struct GlewlwydBrowser: ProviderBrowser {
    public let client: WebClient

    /// Where the provider is; only needed to end a session.
    private let origin: String?

    public init(origin: String? = nil, caFile: String? = nil) {
        self.origin = origin
        client = WebClient(caFile: caFile)
    }

    public func signIn(at url: String, as account: ProviderAccount) async throws -> String {
        let location = try await logIn(at: url, as: account)
        guard WebAddress.path(location) != "/login.html" else {
            throw TestingError("Glewlwyd asks again: \(location)")
        }
        return location
    }

    /// - Parameter approves: Must be true: Glewlwyd's page has nothing to refuse with.
    public func answerDevice(at url: String, as account: ProviderAccount, approves: Bool) async throws {
        guard approves else { throw TestingError("Glewlwyd knows no refusal of a device code") }
        let location = try await logIn(at: url, as: account)
        guard queryFields(of: location)["prompt"] == "deviceComplete" else {
            throw TestingError("Glewlwyd did not take the device code: \(location)")
        }
    }

    public func signOut(at url: String) async throws -> String? {
        guard let page = try await client.get(url).location else { throw TestingError("no log-out page") }
        let fields = queryFields(of: page)
        guard WebAddress.path(page) == "/login.html", let plugin = fields["plugin"], let sid = fields["sid"],
            let clientID = fields["client_id"]
        else { return page }
        let sessions = "\(WebAddress.origin(url))/api/\(plugin)/session/\(sid)"
        let session = try await client.get("\(sessions)/\(clientID)")
        // The frames of front-channel log-out.
        for entry in session.json?["client"]?.array ?? [] {
            guard let frame = entry["frontchannel_logout_uri"]?.string else { continue }
            let issuer = session.json?["iss"]?.string ?? ""
            _ = try await client.get(
                "\(frame)?" + WebAddress.encoded([(name: "iss", value: issuer), (name: "sid", value: sid)]))
        }
        try await expect(200, client.call("DELETE", sessions), "the end of the session")
        try await expect(200, client.call("DELETE", "\(WebAddress.origin(url))/api/auth/"), "the log-out")
        return fields["callback_url"]
    }

    /// Ends the provider's session of this browser from the provider's own pages, which tells every client of it.
    public func endSession() async throws {
        guard let origin, let sid = client.cookie(Glewlwyd.sessionCookie) else {
            throw TestingError("this browser has no session")
        }
        try await expect(
            200, client.call("DELETE", "\(origin)/api/\(Glewlwyd.plugin)/session/\(sid)"), "the end of the session")
    }

    /// Logs in and consents where the page asks for it, and goes on to where the page then leads.
    private func logIn(at url: String, as account: ProviderAccount) async throws -> String {
        let first = try await client.get(url)
        guard let page = first.location else { throw TestingError("\(url): status \(first.status)") }
        guard WebAddress.path(page) == "/login.html" else { return page }
        let fields = queryFields(of: page)
        let api = "\(WebAddress.origin(url))/api"
        try await expect(
            200,
            client.call(
                "POST", "\(api)/auth/",
                json: #"{"username": \#(quoted(account.username)), "password": \#(quoted(account.password))}"#),
            "the password of \(account.username)")
        if let clientID = fields["client_id"], let scopes = fields["scope"] {
            try await expect(
                200, client.call("PUT", "\(api)/auth/grant/\(clientID)/", json: #"{"scope": \#(quoted(scopes))}"#),
                "the consent")
        }
        guard let next = fields["callback_url"] else { throw TestingError("the page leads nowhere: \(page)") }
        let answer = try await client.get(next + (next.contains("?") ? "&g_continue" : "?g_continue"))
        guard let location = answer.location else { throw TestingError("\(next): status \(answer.status)") }
        return location
    }

    private func expect(_ status: Int, _ answer: WebClient.Answer, _ what: String) async throws {
        guard answer.status == status else { throw TestingError("\(what): status \(answer.status) \(answer.text)") }
    }
}

/// A JSON string.
func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: String(scalar)
        }
    }
    return "\"\(escaped.joined())\""
}
