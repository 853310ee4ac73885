/// An absolute `http` or `https` address, read so strictly that no other reader can understand it differently.
///
/// Letters, digits and the marks of RFC 3986 only: no user information, no fragment, no white space, no other scripts.
struct WebAddress: Hashable, Sendable {
    /// What an address may weigh at most, in bytes.
    static let longest = 2048

    /// `http` or `https`.
    let scheme: String
    /// In lower case; an IPv6 address without its brackets.
    let host: String
    /// nil: the scheme's own.
    let port: UInt16?
    /// Empty, or with a slash at its start.
    let path: String
    /// Without the question mark; nil: none.
    let query: String?

    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        var rest = text[...]
        if let tail = Self.drop("https://", from: rest) {
            scheme = "https"
            rest = tail
        } else if let tail = Self.drop("http://", from: rest) {
            scheme = "http"
            rest = tail
        } else {
            return nil
        }
        guard rest.utf8.allSatisfy(Self.isAllowed) else { return nil }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        rest = rest.dropFirst(authority.count)
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        self.host = host
        self.port = port
        path = String(rest.prefix { $0 != "?" })
        rest = rest.dropFirst(path.count)
        query = rest.isEmpty ? nil : String(rest.dropFirst())
    }

    /// Scheme, host and port, as one compares them.
    var origin: String {
        let shown = host.contains(":") ? "[\(host)]" : host
        guard let port, port != (scheme == "https" ? 443 : 80) else { return "\(scheme)://\(shown)" }
        return "\(scheme)://\(shown):\(port)"
    }

    /// Whether the host can be nothing but this machine.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy(Self.isPlainByte)
    }

    /// Whether secrets may travel there: encrypted, or not leaving this machine.
    var isSafe: Bool { scheme == "https" || isLoopback }

    var pathParts: [Substring] { path.split(separator: "/") }

    /// 0 to 255 as people write it: `-0`, `+1` and `01` are names that could lead anywhere.
    private static func isPlainByte(_ digits: Substring) -> Bool {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(digits) != nil
            && (digits == "0" || digits.first != "0")
    }

    private static func drop(_ prefix: String, from text: Substring) -> Substring? {
        text.prefix(prefix.count).lowercased() == prefix ? text.dropFirst(prefix.count) : nil
    }

    /// RFC 3986 without `@` before the path, `#`, and with braces nowhere.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
        }
    }

    private static func hostAndPort(_ authority: Substring) -> (String, UInt16?)? {
        var host = authority
        var port: UInt16?
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard host.contains(":"), host.utf8.allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") }) else {
                return nil
            }
            guard rest.isEmpty || rest.first == ":" else { return nil }
            if !rest.isEmpty {
                guard let number = Self.port(rest.dropFirst()) else { return nil }
                port = number
            }
        } else {
            if let colon = authority.firstIndex(of: ":") {
                guard let number = Self.port(authority[authority.index(after: colon)...]) else { return nil }
                port = number
                host = authority[..<colon]
            }
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isNameByte), host.first != "." else {
                return nil
            }
        }
        return (host.lowercased(), port)
    }

    private static func port(_ digits: Substring) -> UInt16? {
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt16(digits).flatMap { $0 == 0 ? nil : $0 }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || "-._".utf8.contains(byte)
    }
}
