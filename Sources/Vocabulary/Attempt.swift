/// One run of the identity provider's sign-in, to tell a late outcome from the current one.
@frozen
public struct Attempt: SerialNumber {
    public var rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
}
