import WebText

/// One answer, before it goes on the wire.
struct HTTPAnswer: Sendable {
    var status = 200
    var headers: [(name: String, value: String)] = []
    var contentType: String?
    var body: [UInt8] = []
    /// What the body was made of; misbehaviours change it.
    var json: JSONValue?

    static func json(_ value: JSONValue, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(
            status: status, headers: [("cache-control", "no-store")], contentType: "application/json",
            body: value.bytes, json: value)
    }

    static func page(_ text: String, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(
            status: status,
            headers: [
                ("cache-control", "no-store"), ("referrer-policy", "no-referrer"),
                // A form-action would also stop the redirect that answers the form.
                (
                    "content-security-policy",
                    "default-src 'none'; style-src 'unsafe-inline'; frame-src http: https:; frame-ancestors 'none'; "
                        + "base-uri 'none'"
                ),
                ("x-content-type-options", "nosniff"),
            ], contentType: "text/html; charset=utf-8", body: Array(text.utf8))
    }

    static func redirect(_ address: String, status: Int = 302) -> HTTPAnswer {
        HTTPAnswer(status: status, headers: [("location", headerSafe(address)), ("cache-control", "no-store")])
    }

    func with(cookie: String, lifetime: Int, secure: Bool) -> HTTPAnswer {
        var result = self
        result.headers.append(
            (
                "set-cookie",
                "\(ProviderSession.cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(lifetime)"
                    + (secure ? "; Secure" : "")
            ))
        return result
    }

    /// Without the letters that would end a header.
    private static func headerSafe(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 > 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}
