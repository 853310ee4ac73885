/// A number that counts up from 1 and is never given twice; 0 stands for none.
///
/// Numbers of different things are different types, so that the compiler refuses one in the place of another.
public protocol SerialNumber:
    RawRepresentable<UInt64>, Hashable, Strideable, Sendable, Codable, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    init(rawValue: UInt64)
}

extension SerialNumber {
    @inlinable public init(integerLiteral value: UInt64) { self.init(rawValue: value) }

    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    public var description: String { String(rawValue) }

    /// Nil when the text is not a whole number.
    public init?(_ text: some StringProtocol) {
        guard let number = UInt64(text) else { return nil }
        self.init(rawValue: number)
    }

    /// The nearest to a number from outside, such as a clock's.
    public init(clamping number: Int64) { self.init(rawValue: UInt64(clamping: number)) }

    /// The greatest that the journal can hold: SQLite's numbers have a sign.
    @inlinable public static var greatest: Self { Self(rawValue: UInt64(Int64.max)) }

    /// The one after it. Numbers come from files and peers, so the greatest of all has none after it and stays as it is.
    @inlinable public var next: Self { Self(rawValue: rawValue == .max ? .max : rawValue + 1) }

    /// One that is so much further or nearer, from 0 to the greatest.
    @inlinable public func advanced(by distance: Int) -> Self {
        let size = UInt64(distance.magnitude)
        guard distance >= 0 else { return Self(rawValue: rawValue > size ? rawValue - size : 0) }
        let (sum, overflow) = rawValue.addingReportingOverflow(size)
        return overflow ? .greatest : min(Self(rawValue: sum), .greatest)
    }

    @inlinable public func distance(to other: Self) -> Int {
        rawValue <= other.rawValue
            ? Int(clamping: other.rawValue - rawValue) : -Int(clamping: rawValue - other.rawValue)
    }

    /// The one before it; 0 stays 0.
    @inlinable public var previous: Self { Self(rawValue: rawValue == 0 ? 0 : rawValue - 1) }
}
