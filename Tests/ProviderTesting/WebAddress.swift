/// What a browser does with addresses.
enum WebAddress {
    /// Where a link on the page `base` leads.
    static func resolve(_ link: String, from base: String) -> String {
        let scheme = link.prefix { $0 != ":" && $0 != "/" && $0 != "?" && $0 != "#" }
        if scheme.endIndex < link.endIndex, link[scheme.endIndex] == ":" { return link }
        let origin = origin(base)
        if link.hasPrefix("//") { return base.prefix { $0 != ":" } + ":" + link }
        if link.hasPrefix("/") { return origin + link }
        let path = base.dropFirst(origin.count).prefix { $0 != "?" && $0 != "#" }
        if link.isEmpty || link.hasPrefix("?") { return origin + path + link }
        return origin + (path.lastIndex(of: "/").map { path[...$0] } ?? "/") + link
    }

    /// Scheme, host and port.
    static func origin(_ address: String) -> String {
        guard let start = address.firstRange(of: "://")?.upperBound else { return address }
        return String(address[..<start] + address[start...].prefix { !"/?#".contains($0) })
    }

    static func path(_ address: String) -> String {
        String(address.dropFirst(origin(address).count).prefix { $0 != "?" && $0 != "#" })
    }

    static func encoded(_ fields: [(name: String, value: String)]) -> String {
        fields.map { escaped($0.name) + "=" + escaped($0.value) }.joined(separator: "&")
    }

    static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    static func unescaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The first value of each field of an address' query.
public func queryFields(of address: String) -> [String: String] {
    let query = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    let pairs = query.split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (WebAddress.unescaped(parts[0]), parts.count > 1 ? WebAddress.unescaped(parts[1]) : "")
    }
    return Dictionary(pairs) { first, _ in first }
}
