import WebText

/// Texts that cannot be guessed.
enum Unguessable {
    /// 256 bits for addresses and forms.
    static func text() -> String { Base64URL.encode(bytes(32)) }

    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A user code of eight consonants, about 34 bits (RFC 8628, section 6.1).
    static func userCode() -> String {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let code = (0..<8).map { _ in letters.randomElement() ?? "B" }
        return String(code.prefix(4)) + "-" + String(code.suffix(4))
    }
}
