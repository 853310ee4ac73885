internal import BatonContract

/// An `http` or `https` address in its parts, as far as the settings judge it.
struct WebAddress {
    let scheme: String
    /// In lower case; an IPv6 address has its brackets.
    let host: String
    let port: UInt16?
    /// Path, query and fragment as written; empty or beginning with `/`, `?` or `#`.
    let rest: Substring

    /// Nil where it is none, has a user name, or has characters that no address has.
    init?(_ text: String) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        scheme = text[..<colon].lowercased()
        let after = text[text.index(after: colon)...]
        guard scheme == "http" || scheme == "https", after.hasPrefix("//") else { return nil }
        let authority = after.dropFirst(2).prefix { !"/?#".contains($0) }
        rest = after.dropFirst(2 + authority.count)
        guard let parts = WebHost.split(authority) else { return nil }
        (host, port) = parts
    }

    var isLoopback: Bool { ["127.0.0.1", "[::1]", "localhost"].contains(host) }
}
