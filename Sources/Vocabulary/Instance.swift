/// The number of one registration of an app, unique within a journal.
@frozen
public struct Instance: SerialNumber {
    public var rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
}
