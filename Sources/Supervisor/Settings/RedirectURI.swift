/// Which redirect URIs an app may have: RFC 8252, sections 7.1 to 7.3.
enum RedirectURI {
    static func isUsable(_ text: String) -> Bool {
        guard (4...2048).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            !text.contains("#"), let colon = text.firstIndex(of: ":")
        else { return false }
        let scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        guard let first = scheme.utf8.first, isLetter(first),
            scheme.utf8.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+.-".utf8.contains($0) })
        else { return false }
        switch scheme {
        case "http": return host(rest).map { ["127.0.0.1", "[::1]", "localhost"].contains($0) } ?? false
        case "https": return host(rest).map { !$0.isEmpty } ?? false
        case "javascript", "data", "file", "about", "blob", "ftp", "ws", "wss", "view-source": return false
        default: return !rest.isEmpty
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }

    /// The host of what follows the scheme; nil when there is a user name, or no host.
    private static func host(_ rest: Substring) -> String? {
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { return nil }
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let after = authority[authority.index(after: end)...]
            return after.isEmpty || after.hasPrefix(":") ? authority[...end].lowercased() : nil
        }
        return authority.prefix { $0 != ":" }.lowercased()
    }
}
