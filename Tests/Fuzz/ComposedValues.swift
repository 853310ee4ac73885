import BatonContract
import DBus

/// Values that bytes describe: every row of bytes is some dictionary, and a small change of them a small change of it.
struct ComposedValues {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The keys that decoders know; their places are part of the inputs in `corpus`, so new ones come last.
    private static let keys =
        [
            "id", "username", "name", "epoch", "outcome", "participants", "holders", "rejected", "explanation",
            "account",
            "reason", "started", "ended", "release", "debts", "mode", "phase", "device-id", "since", "warnings",
            "browser",
            "kind", "url", "expires", "scopes", "access-token", "changed", "needs-restart", "app", "uid", "instance",
            "state", "checks", "apps", "holder", "proof", "milliseconds", "count", "restarts", "journal-id",
            "declined-scopes", "error-codes", "limit", "user-code", "verification-uri-complete", "arguments", "command",
            "environment", "keep", "wipe", "read-only", "UnixUserID", "ProcessID", "UnixGroupIDs", "shared", "sender",
            "error", "when", "by", "provider", "identity", "details", "allow", "address", "connected", "opener",
        ] + TokenRequest.Key.allCases.map(\.rawValue)

    /// An `a{sv}`: how many entries, then key and value of each.
    mutating func dictionary(_ depth: Int = 0) -> VariantDictionary {
        var values: VariantDictionary = [:]
        for _ in 0..<byte() % 32 where !rest.isEmpty {
            let place = Int(byte())
            let key = place < Self.keys.count ? Self.keys[place] : text()
            values[key] = value(depth + 1)
        }
        return values
    }

    private mutating func value(_ depth: Int) -> Variant {
        // The deepest may go beyond what a receipt's details may have.
        let isLeaf = depth > 80
        switch byte() % (isLeaf ? 11 : 17) {
        case 0: return .boolean(byte() & 1 == 1)
        case 1: return .byte(byte())
        case 2: return .int16(Int16(truncatingIfNeeded: number()))
        case 3: return .uint16(UInt16(truncatingIfNeeded: number()))
        case 4: return .int32(Int32(truncatingIfNeeded: number()))
        case 5: return .uint32(UInt32(truncatingIfNeeded: number()))
        case 6: return .int64(Int64(bitPattern: number()))
        case 7: return .uint64(number())
        case 8: return .double(Double(bitPattern: number()))
        case 9: return .string(text())
        case 10: return .bytes(Array(text().utf8))
        case 11: return .array(element: "s", strings())
        case 12: return .array(element: "a{sv}", (0..<byte() % 8).map { _ in .dictionary(dictionary(depth + 1)) })
        case 13: return .structure([value(depth + 1), value(depth + 1)])
        case 14: return .variant(value(depth + 1))
        case 15:
            return .array(element: "u", (0..<byte() % 8).map { _ in .uint32(UInt32(truncatingIfNeeded: number())) })
        default: return .dictionary(dictionary(depth + 1))
        }
    }

    private mutating func strings() -> [Variant] { (0..<byte() % 8).map { _ in .string(text()) } }

    private mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Small ones are one byte, and the greatest are near.
    private mutating func number() -> UInt64 {
        let first = byte()
        guard first >= 0xF0 else { return UInt64(first) }
        guard first >= 0xF8 else { return .max - UInt64(first & 7) }
        return (0..<8).reduce(0) { sum, _ in sum << 8 | UInt64(byte()) }
    }

    private mutating func text() -> String {
        let length = Int(byte())
        defer { rest = rest.dropFirst(length) }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }
}
