import FoundationEssentials

/// Base64 of RFC 4648 with its padding, in which each value has one text.
enum Base64 {
    static func text(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }

    /// Nil: not the text of so many bytes.
    static func bytes(_ text: String, count: Int) -> [UInt8]? {
        guard text.utf8.count == (count + 2) / 3 * 4, let data = Data(base64Encoded: text), data.count == count,
            data.base64EncodedString() == text
        else { return nil }
        return Array(data)
    }
}
