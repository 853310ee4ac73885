/// A bus call that waits for its answer. The supervisor gives the number, never a peer.
@frozen
public struct Call: SerialNumber {
    public var rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
}
