/// A host as addresses write it, and the port behind it.
package struct WebHost: Hashable, Sendable {
    /// In lower case; an IPv6 address without its brackets.
    package let name: String
    /// nil: the scheme's own.
    package let port: UInt16?

    /// Reads what stands between `//` and the path; nil where host or port is none, or a user's name stands before.
    package init?(_ authority: Substring) {
        // Some other letters have one of these as their small letter.
        guard authority.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let (host, port) = AddressParts.hostAndPort(authority)
        self.init(host, port)
    }

    /// - Parameters:
    ///   - host: In lower case, with the brackets of an IPv6 address.
    ///   - port: Its digits; nil: none is named.
    init?(_ host: String, _ port: Substring?) {
        if host.hasPrefix("[") {
            // The dotted form of an IPv4 address in an IPv6 one is not how browsers write it.
            let inner = host.utf8.dropFirst().dropLast()
            guard host.hasSuffix("]"), inner.contains(UInt8(ascii: ":")),
                inner.allSatisfy({ Self.isHexadecimal($0) || $0 == UInt8(ascii: ":") })
            else { return nil }
            name = String(host.dropFirst().dropLast())
        } else {
            guard !host.isEmpty, host.utf8.allSatisfy(Self.isNameByte) else { return nil }
            name = host
        }
        if let port {
            guard let number = Self.number(port) else { return nil }
            self.port = number
        } else {
            self.port = nil
        }
    }

    /// The name as an address has it, with the brackets of an IPv6 address.
    package var text: String { name.contains(":") ? "[\(name)]" : name }

    /// Whether the host can be nothing but this machine.
    package var isLoopback: Bool {
        if name == "localhost" || name == "::1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy(Self.isPlainByte)
    }

    /// Whether it is one of the three names that RFC 8252 has for this machine.
    package var isCommonLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(name) }

    /// Letters, digits, and the marks that names have.
    package static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._".utf8.contains(byte)
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func number(_ digits: Substring) -> UInt16? {
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt16(digits).flatMap { $0 == 0 ? nil : $0 }
    }

    /// 0 to 255 as people write it: `-0`, `+1` and `01` are names that could lead anywhere.
    private static func isPlainByte(_ digits: Substring) -> Bool {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(digits) != nil
            && (digits == "0" || digits.first != "0")
    }
}
