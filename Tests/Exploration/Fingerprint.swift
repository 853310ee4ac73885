import Vocabulary

/// A hash of 128 bits that is the same in each run; what goes in is written down in a fixed order.
struct Fingerprint: Hashable, Comparable, Sendable {
    private(set) var high: UInt64 = 0x9E37_79B9_7F4A_7C15
    private(set) var low: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    mutating func add(_ value: UInt64) {
        var mixed = value &+ high
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        low = (low ^ mixed) &* 0xFF51_AFD7_ED55_8CCD
        low ^= low >> 33
        high = mixed &+ (low << 7 | low >> 57)
    }

    mutating func add(_ value: Self) {
        add(value.high)
        add(value.low)
    }

    mutating func add(_ value: Bool) { add(value ? 1 : 2 as UInt64) }
    mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }
    mutating func add(_ value: UInt64?) { add(value.map { $0 &+ 1 } ?? 0) }
    mutating func add(_ value: some SerialNumber) { add(value.rawValue) }
    mutating func add(_ value: (some SerialNumber)?) { add(value?.rawValue) }
    mutating func add(_ value: String) { for byte in value.utf8 { add(UInt64(byte)) } }

    static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}
