/// Fields of a query or of an `application/x-www-form-urlencoded` body.
struct FormText: Sendable {
    private static let most = 200

    private(set) var fields: [String: String] = [:]
    /// Names that came twice, which OAuth forbids (RFC 6749, section 3.1).
    private(set) var repeated: Set<String> = []

    init() {}

    /// Fields beyond two hundred are left out.
    init(_ text: String) {
        for pair in text.split(separator: "&", omittingEmptySubsequences: true).prefix(Self.most) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(String(parts.first ?? ""), plus: true)
            let value = parts.count > 1 ? Self.decoded(String(parts.last ?? ""), plus: true) : ""
            if fields.updateValue(value, forKey: name) != nil { repeated.insert(name) }
        }
    }

    init(fields: [String: String]) { self.fields = fields }

    /// Nil for an empty value too, which counts as left out (RFC 6749, section 3.1).
    subscript(_ name: String) -> String? {
        guard let value = fields[name], !value.isEmpty else { return nil }
        return value
    }

    /// Escapes that are not well formed stay as they are.
    static func decoded(_ text: String, plus: Bool = false) -> String {
        var result: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "%"), bytes.count >= 2,
                let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
            {
                result.append(value)
                bytes = bytes.dropFirst(2)
            } else {
                result.append(plus && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func encoded(_ pairs: [(String, String)]) -> String {
        pairs.map { percentEncoded($0.0) + "=" + percentEncoded($0.1) }.joined(separator: "&")
    }

    /// Puts fields behind an address that may have a query already.
    static func appending(_ pairs: [(String, String)], to address: String) -> String {
        guard !pairs.isEmpty else { return address }
        return address + (address.contains("?") ? "&" : "?") + encoded(pairs)
    }
}
