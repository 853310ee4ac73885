import FoundationEssentials
import WebText

/// One request, read from the wire.
struct Exchange: Sendable {
    static let largestBody = 256 * 1024

    var method: String
    var route: Route
    var query = ReceivedFields()
    var form = ReceivedFields()
    var json: JSONValue?
    var cookies: [String: String] = [:]
    var authorization: String?
    var correlationID = ""

    /// The fields of the form for POST, of the query otherwise.
    var parameters: ReceivedFields { method == "POST" ? form : query }

    func require(_ methods: String...) throws(OAuthFault) {
        guard methods.contains(method) else { throw .wrongMethod }
    }

    /// The token of `Authorization: Bearer`.
    var bearer: String? {
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else { return nil }
        return String(authorization.dropFirst(7))
    }

    /// Client id and secret of `Authorization: Basic` (RFC 6749, section 2.3.1).
    var basic: (id: String, secret: String)? {
        // The letters of RFC 4648, section 4, and its padding (RFC 7617, section 2).
        guard let authorization, authorization.lowercased().hasPrefix("basic "),
            let bytes = Data(base64Encoded: String(authorization.dropFirst(6)))
        else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (FormText.lenient(parts[0]), FormText.lenient(parts[1]))
    }

    /// The browser's session.
    var sessionCookie: String? { cookies[ProviderSession.cookieName] }
}
