/// `application/x-www-form-urlencoded` (RFC 6749, appendix B): in bodies, queries and the header of client authentication.
package enum FormText {
    /// Escapes everything but the unreserved characters of RFC 3986.
    package static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func encoded(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }

    /// The address with these fields behind those that it has.
    package static func address(_ url: String, adding fields: [(name: String, value: String)]) -> String {
        let query = encoded(fields)
        guard !query.isEmpty else { return url }
        guard url.utf8.contains(UInt8(ascii: "?")) else { return "\(url)?\(query)" }
        return url.hasSuffix("?") || url.hasSuffix("&") ? url + query : "\(url)&\(query)"
    }

    /// Reads a query; nil when an escape is broken, a text is no UTF-8 or has a control character, or there are more
    /// than `limit` fields.
    ///
    /// - Parameter strict: The fields for which that holds; of all others the value is cleaned. Nil: for all.
    package static func decoded(
        _ query: Substring, limit: Int = 64, strict: Set<String>? = nil
    ) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for (name, text) in pairs(query) {
            guard fields.count < limit, let name = unescaped(name), !name.isEmpty else { return nil }
            let isCleaned = strict.map { !$0.contains(name) } ?? false
            guard let value = unescaped(text) ?? (isCleaned ? cleaned(text) : nil) else { return nil }
            fields.append((name, value))
        }
        return fields
    }

    /// Reads a query or a body as a server does that any browser or program may write to (URL Standard, section 5.1): what
    /// is broken stays as it is, and fields beyond `limit` are left out.
    package static func lenientFields(_ text: Substring, limit: Int) -> [(name: String, value: String)] {
        pairs(text).prefix(limit).map {
            (String(decoding: lenient($0.name), as: UTF8.self), String(decoding: lenient($0.value), as: UTF8.self))
        }
    }

    private static func pairs(_ text: Substring) -> [(name: Substring.UTF8View, value: Substring.UTF8View)] {
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            guard let mark = pair.firstIndex(of: UInt8(ascii: "=")) else { return (pair, pair.suffix(0)) }
            return (pair[..<mark], pair[pair.index(after: mark)...])
        }
    }

    /// What can be read of a text: spaces for control characters, broken escapes as they are.
    private static func cleaned(_ text: Substring.UTF8View) -> String {
        String(decoding: lenient(text).map { $0 < 32 || $0 == 127 ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// One name or value that decides nothing: broken escapes stay as they are.
    package static func lenient(_ text: Substring) -> String { String(decoding: lenient(text.utf8), as: UTF8.self) }

    /// A segment of a path, which is no form: there a plus means itself.
    package static func lenientSegment(_ text: Substring) -> String {
        String(decoding: lenient(text.utf8, plus: "+"), as: UTF8.self)
    }

    private static func lenient(_ text: Substring.UTF8View, plus: Unicode.Scalar = " ") -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: plus))
            case UInt8(ascii: "%"):
                let escape = rest.prefix(2).compactMap(digit)
                if escape.count == 2, let high = escape.first, let low = escape.last {
                    bytes.append(high << 4 | low)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                }
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func unescaped(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(where: { $0 < 32 || $0 == 127 }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }
}
