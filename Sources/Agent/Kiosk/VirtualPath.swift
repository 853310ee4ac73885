/// An address of the virtual origin, taken apart.
struct VirtualPath: Equatable {
    var path: String
    /// The first value of each name.
    var query: [String: String] = [:]

    /// Nil for an address of another origin.
    init?(_ url: String, at address: String) {
        guard url.hasPrefix(address) else { return nil }
        let rest = url.dropFirst(address.count).prefix { $0 != "#" }
        // `https://baton.invalid.example.org` has the same beginning.
        guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return nil }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let found = parts.first.map(String.init) ?? ""
        path = found.isEmpty ? "/" : found
        guard parts.count == 2, let text = parts.last else { return }
        for pair in text.split(separator: "&").prefix(64) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = sides.first.map({ Self.decoded($0) }), query[name] == nil else { continue }
            query[name] = sides.count == 2 ? sides.last.map { Self.decoded($0) } ?? "" : ""
        }
    }

    /// As in `application/x-www-form-urlencoded`; an escape that is none stays as it is.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), rest.count >= 2, rest.prefix(2).allSatisfy(isHexDigit),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
