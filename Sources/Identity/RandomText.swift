import FoundationEssentials
import WebText

/// Texts that cannot be guessed, and ids.
enum RandomText {
    /// 256 bits from the system's generator in 43 characters that need no escaping in a URL.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// An id that a provider can log: what the caller gave when it has the form of one, otherwise a new one.
    static func correlationID(_ given: String) -> String {
        let isUsable =
            (1...64).contains(given.utf8.count)
            && given.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        return isUsable ? given : UUID().uuidString.lowercased()
    }
}
