/// Changes good samples into bad ones, the same ones for the same seed.
struct Mutator: Sendable {
    /// SplitMix64: small, and good enough to choose places.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    /// What parsers stumble over.
    private static let words: [[UInt8]] = [
        "{", "}", "[", "]", "\"", "\\", ",", ":", "null", "true", "-1", "1e999", "9223372036854775808", "0.1e-400",
        "\\ud800", "\\u0000", "\u{202E}", "é", "😀", ".", "..", "=", "%", "https://", "http://127.0.0.1", "@", "#",
        "{tenantid}", "\r\n", "alg", "none", "kid", "max-age=", "AAAA", "-", "_", "+", "/", " ",
    ].map { Array($0.utf8) }

    private var random: Generator

    init(seed: UInt64) { random = Generator(state: seed) }

    /// A different text than the sample, by one to four changes.
    mutating func mutate(_ sample: [UInt8]) -> [UInt8] {
        var result = sample
        repeat {
            for _ in 0..<Int.random(in: 1...4, using: &random) { change(&result) }
        } while result == sample
        return result
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let length = min(Int.random(in: 1...16, using: &random), bytes.count - place)
        let range = place..<(place + length)
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where length > 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where length > 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 3: bytes.removeSubrange(range)
        case 4: bytes.insert(contentsOf: bytes[range], at: Int.random(in: 0...bytes.count, using: &random))
        case 5: bytes.insert(contentsOf: Self.words.randomElement(using: &random) ?? [], at: place)
        case 6: bytes.replaceSubrange(range, with: Self.words.randomElement(using: &random) ?? [])
        default: if Bool.random(using: &random) { bytes.removeSubrange(place...) }
        }
        if bytes.count > 1 << 16 { bytes.removeSubrange((1 << 16)...) }
    }
}
