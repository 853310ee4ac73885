/// An address cut where its marks stand, and nothing judged: `scheme://user@host:port/path?query#fragment`.
///
/// For what has to be compared however it is written; `WebAddress` is what can be relied on.
package struct AddressParts: Sendable {
    /// In lower case.
    package let scheme: String
    /// All that stands between `//` and the path.
    package let authority: Substring
    /// What stands before the last `@` of the authority; nil: there is none.
    package let userInfo: Substring?
    /// In lower case; an IPv6 address has its brackets.
    package let host: String
    /// What stands behind the host's colon; nil: no colon.
    package let port: Substring?
    /// Empty, or with a slash at its start.
    package let path: Substring
    /// Without the question mark; nil: none.
    package let query: Substring?
    /// Without the hash; nil: none.
    package let fragment: Substring?

    /// Nil without a scheme and `//`.
    package init?(_ text: String) {
        let (scheme, behind) = Self.cut(text[...], at: ":")
        guard let behind, behind.utf8.starts(with: "//".utf8), !scheme.utf8.contains(where: "/?#".utf8.contains) else {
            return nil
        }
        self.scheme = scheme.lowercased()
        let (whole, fragment) = Self.cut(behind[behind.utf8.index(behind.startIndex, offsetBy: 2)...], at: "#")
        let (rest, query) = Self.cut(whole, at: "?")
        let authority = Self.cut(rest, at: "/").head
        self.authority = authority
        path = rest[authority.endIndex...]
        self.query = query
        self.fragment = fragment
        let at = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
        userInfo = at.map { authority[..<$0] }
        (host, port) = Self.hostAndPort(at.map { authority[authority.utf8.index(after: $0)...] } ?? authority)
    }

    /// Host and port of what stands behind the user's name.
    static func hostAndPort(_ place: Substring) -> (host: String, port: Substring?) {
        // An IPv6 address has colons of its own, in brackets.
        if place.utf8.first == UInt8(ascii: "["), let end = place.utf8.firstIndex(of: UInt8(ascii: "]")) {
            let behind = place.utf8.index(after: end)
            // Anything else than a port behind the bracket belongs to a host that is none.
            let isPort = behind < place.endIndex && place.utf8[behind] == UInt8(ascii: ":")
            return isPort
                ? (place[..<behind].lowercased(), place[place.utf8.index(after: behind)...]) : (place.lowercased(), nil)
        }
        let (host, port) = cut(place, at: ":")
        return (host.lowercased(), port)
    }

    /// Before and behind the first such mark: by bytes, since with an accent behind it a mark is another character, and
    /// the same mark to every other reader.
    static func cut(_ text: Substring, at mark: Unicode.Scalar) -> (head: Substring, tail: Substring?) {
        guard let place = text.utf8.firstIndex(of: UInt8(ascii: mark)) else { return (text, nil) }
        return (text[..<place], text[text.utf8.index(after: place)...])
    }
}
