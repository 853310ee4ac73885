/// Input that nobody thought of, always the same for a seed, so that what was found can be found again.
public struct GeneratedInput: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// SplitMix64, by Steele, Lea and Flood (2014).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    public mutating func number(below bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &self) : 0 }

    public mutating func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &self) }

    /// What decoders stumble over.
    private static let pieces: [[UInt8]] =
        [
            "-1", "0", "18446744073709551616", "9223372036854775808", "1e400", "NaN", "null", "true", "\"", "'", "{",
            "}", "[",
            "]", ":", ": ", ",", "-", "- ", "\n", "\t", "&a", "*a", "!!binary", "!!int", "<<: ", "---", "|", ">", "#",
            "%",
            "\u{FEFF}", "\u{202E}", "\\u0000", "\\ud800", "99999999999s", "-5s", "1h1h", "~/", "../", "/",
            "0x7fffffffffffffff",
        ].map { Array($0.utf8) } + [[0], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]]

    /// The bytes with some places changed, taken out, doubled, or filled with what decoders stumble over.
    public mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0...number(below: 4) {
            let place = number(below: result.count + 1)
            let end = min(result.count, place + number(below: 24))
            switch number(below: 6) {
            case 0: result.replaceSubrange(place..<end, with: [])
            case 1: result.insert(contentsOf: result[place..<end], at: place)
            case 2: if place < result.count { result[place] ^= UInt8(1 << number(below: 8)) }
            case 3: result.insert(contentsOf: pick(Self.pieces) ?? [], at: place)
            case 4: result.replaceSubrange(place..<end, with: pick(Self.pieces) ?? [])
            default: result.removeSubrange(place...)
            }
        }
        return result
    }

    public mutating func changed(_ text: String) -> String {
        String(decoding: changed(Array(text.utf8)), as: UTF8.self)
    }
}
