import Secrets
import WebText

extension TokenAnswer {
    /// The longest token that is taken, in bytes.
    static let longestToken = 256 << 10
    private static let longestLife: Int64 = 10 * 365 * 86_400

    /// Reads a token endpoint's answer.
    ///
    /// - Throws: `invalidAnswer` with the name of the part that is missing or wrong.
    init(body: [UInt8], correlationID: String = "") throws(IdentityError) {
        let fault = { (what: String) in IdentityError(.invalidAnswer(what: what), correlationID: correlationID) }
        guard let answer = JSONValue(body), answer.object != nil else { throw fault("token answer") }
        let access = try Self.token("access_token", in: answer, correlationID)
        let id = try Self.token("id_token", in: answer, correlationID)
        guard access != nil || id != nil else { throw fault("access_token") }
        let isBearer = answer["token_type"]?.string?.lowercased() == "bearer"
        guard isBearer || access == nil && answer["token_type"] == nil else { throw fault("token_type") }
        self.init(accessToken: access)
        refreshToken = try Self.token("refresh_token", in: answer, correlationID)
        idToken = id
        clientInfo = ClientInfo(answer["client_info"]?.string)
        // Some providers write the number as text; what is no number says nothing.
        expiresIn = answer["expires_in"]?.lenientInteger.map { min(max($0, 0), Self.longestLife) }
        scopes = answer["scope"]?.string.map { $0.split(separator: " ").map(String.init) } ?? answer["scope"]?.strings
    }

    private static func token(
        _ name: String, in answer: JSONValue, _ correlationID: String
    ) throws(IdentityError) -> Secret? {
        switch answer[name] {
        case nil, .null?: return nil
        case .string(let text)?:
            // An empty one is as good as none.
            guard !text.isEmpty else { return nil }
            guard text.utf8.count <= longestToken, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
                throw IdentityError(.invalidAnswer(what: name), correlationID: correlationID)
            }
            return Secret(text: text)
        default: throw IdentityError(.invalidAnswer(what: name), correlationID: correlationID)
        }
    }
}
