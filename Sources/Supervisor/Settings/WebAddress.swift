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
        guard let parts = Self.split(authority) else { return nil }
        (host, port) = parts
    }

    var isLoopback: Bool { ["127.0.0.1", "[::1]", "localhost"].contains(host) }

    /// Host and port of what stands between `//` and the path.
    static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            let inner = host.dropFirst().dropLast()
            guard inner.contains(":"), inner.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else { return nil }
        }
        let after = authority[host.endIndex...]
        guard !after.isEmpty else { return (host.lowercased(), nil) }
        guard after.hasPrefix(":"), let port = SettingsText.count(String(after.dropFirst())),
            let port = UInt16(exactly: port), port > 0
        else { return nil }
        return (host.lowercased(), port)
    }

    static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
}
