/// Base64 for addresses, without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(letter(bits >> count))
            }
            bits &= 0xFF
        }
        if count > 0 { result.append(letter(bits << (6 - count))) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func letter(_ bits: UInt32) -> UInt8 { alphabet[Int(bits & 0x3F)] }

    /// Nil when a letter is not of the alphabet.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count: UInt32 = 0
        for letter in text.utf8 {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return result
    }
}
