/// The bytes of a PEM file with one thing in it: RFC 7468.
enum PEMText {
    static func text(_ label: String, _ bytes: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(Base64.text(bytes))\n-----END \(label)-----\n"
    }

    /// Nil: there is no such thing in it, or not of so many bytes. What stands before and after it is left alone.
    static func bytes(_ label: String, _ text: String, count: Int) -> [UInt8]? {
        var lines = text.split(whereSeparator: \.isNewline)[...]
        guard let first = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN \(label)-----") }) else { return nil }
        lines = lines[(first + 1)...]
        guard let last = lines.firstIndex(where: { $0.hasPrefix("-----END \(label)-----") }) else { return nil }
        return Base64.bytes(lines[..<last].joined().filter { !$0.isWhitespace }, count: count)
    }
}
