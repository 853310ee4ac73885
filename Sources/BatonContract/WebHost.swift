/// Host and port of a web address, which settings, redirect URIs and lists of allowed pages have alike.
package enum WebHost {
    /// Host, in lower case, and port of what stands between `//` and the path; nil where one of them is none.
    package static func split(_ authority: Substring) -> (host: String, port: UInt16?)? {
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            let inner = host.dropFirst().dropLast()
            guard inner.contains(":"), inner.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            guard !host.isEmpty, host.utf8.allSatisfy(isByte) else { return nil }
        }
        let after = authority[host.endIndex...]
        guard !after.isEmpty else { return (host.lowercased(), nil) }
        let digits = after.dropFirst()
        guard after.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return (host.lowercased(), port)
    }

    package static func isByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
}
