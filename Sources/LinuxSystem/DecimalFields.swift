/// Fields between blanks, such as those of `/proc/PID/stat`.
struct DecimalFields {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    mutating func next() -> ArraySlice<UInt8>? {
        rest = rest.drop(while: Self.isBlank)
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(where: Self.isBlank) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    mutating func skip(_ count: Int) -> Bool {
        for _ in 0..<count where next() == nil { return false }
        return true
    }

    /// Nil for what is no number or too large for the type.
    mutating func nextNumber<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        next().flatMap { Self.number($0) }
    }

    /// A decimal number with or without a minus sign, or nil.
    static func number<Number: FixedWidthInteger>(_ text: ArraySlice<UInt8>) -> Number? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text
        guard !digits.isEmpty else { return nil }
        var value: Number = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"),
                let digit = Number(exactly: byte - UInt8(ascii: "0"))
            else { return nil }
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (next, overflows) =
                isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
            guard !isTooLarge, !overflows else { return nil }
            value = next
        }
        return value
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
