import Secrets
import WebText

/// What a browser brought back to a redirect URI: RFC 6749, section 4.1.2, and RFC 9207.
struct RedirectAnswer: Sendable {
    /// The longest redirect that is read, in bytes.
    static let longest = 1 << 16

    /// What decides about a sign-in. Other fields are texts for people: Entra ID's descriptions have line ends.
    private static let strict: Set<String> = ["state", "code", "iss", "error"]

    enum Content: Sendable {
        case code(Secret)
        case error(OAuthError)
    }

    /// The address before the query.
    let address: String
    let state: String
    let issuer: String?
    let content: Content

    /// Nil for anything that no provider may send: a broken escape or a control character in what decides, a parameter
    /// that comes twice, no `state`, both or neither of code and error.
    init?(_ redirect: String) {
        guard redirect.utf8.count <= Self.longest else { return nil }
        let withoutFragment = redirect.prefix { $0 != "#" }
        guard let mark = withoutFragment.firstIndex(of: "?"),
            let fields = FormText.decoded(withoutFragment[mark...].dropFirst(), strict: Self.strict)
        else { return nil }
        var values: [String: String] = [:]
        for field in fields {
            guard values.updateValue(field.value, forKey: field.name) == nil else { return nil }
        }
        guard let state = values["state"], !state.isEmpty else { return nil }
        switch (values["code"], values["error"]) {
        case (let code?, nil):
            guard !code.isEmpty else { return nil }
            content = .code(Secret(text: code))
        case (nil, let error?):
            content = .error(OAuthError(code: error, description: values["error_description"]))
        default: return nil
        }
        address = String(withoutFragment[..<mark])
        self.state = state
        issuer = values["iss"]
    }

    /// Whether this came to that redirect URI. A browser writes scheme and host small and puts a slash behind a bare
    /// host; nothing else may differ.
    func came(to redirectURI: String) -> Bool {
        Self.isSame(address[...], redirectURI.prefix { $0 != "?" })
    }

    /// Whether two addresses without queries are the same.
    static func isSame(_ one: Substring, _ other: Substring) -> Bool { normal(one) == normal(other) }

    private static func normal(_ address: Substring) -> String {
        guard let parts = AddressParts(String(address)), parts.query == nil, parts.fragment == nil else {
            // An app's own scheme may be followed by a path alone.
            guard let colon = address.firstIndex(of: ":") else { return String(address) }
            return address[..<colon].lowercased() + address[colon...]
        }
        return "\(parts.scheme)://\(parts.authority.lowercased())\(parts.path.isEmpty ? "/" : parts.path)"
    }
}
