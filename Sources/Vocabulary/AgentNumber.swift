/// Tells one agent from the one before it, since batond started.
@frozen
public struct AgentNumber: SerialNumber {
    public var rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
}
