/// The number of a worker's turn: counts up at each sign-in, is never reused and never goes back.
@frozen
public struct Epoch: SerialNumber {
    public var rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
}
