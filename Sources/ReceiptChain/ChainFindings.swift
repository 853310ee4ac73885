/// What was looked at in a chain in which nothing is wrong, and what of it nothing is known of.
public struct ChainFindings: Hashable, Sendable {
    public enum End: Hashable, Sendable {
        /// No published head was given, so entries may have been cut off.
        case unchecked
        /// The published head is the last entry, or this many come after it.
        case reached(after: UInt64)
    }

    public var entries: UInt64 = 0
    public var first: UInt64 = 0
    /// The last entry.
    public var head = ChainHead(sequence: 0, hash: "")
    public var firstTime: Int64 = 0
    public var lastTime: Int64 = 0
    /// The ids of the journals, in order; of very many only the first ones.
    public var journals: [String] = []
    /// The ids of the keys that have signed, in order.
    public var keys: [String] = []
    /// How many receipts were there before the chain began, and when that was, in Unix microseconds.
    public var found: UInt64 = 0
    public var foundAt: Int64 = 0
    /// How many receipts are no longer kept, but still have entries.
    public var pruned: UInt64 = 0
    public var end = End.unchecked
}
