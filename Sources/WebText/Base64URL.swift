import FoundationEssentials

/// Base64 for URLs without padding: RFC 7515, section 2.
package enum Base64URL {
    /// Strict: one text for each value, so that a token's text cannot be changed without changing what was signed.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var letters = Data(text.map(ordinary))
        letters.append(contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - letters.count % 4) % 4))
        guard let data = Data(base64Encoded: letters) else { return nil }
        // Padding, the letters of other alphabets and bits behind the last byte are all in texts that encode nothing.
        return encode(data).utf8.elementsEqual(text) ? Array(data) : nil
    }

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let letters = Data(bytes).base64EncodedData().lazy.filter { $0 != UInt8(ascii: "=") }.map(forURLs)
        return String(decoding: Array(letters), as: UTF8.self)
    }

    private static func ordinary(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: letter
        }
    }

    private static func forURLs(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: letter
        }
    }
}
