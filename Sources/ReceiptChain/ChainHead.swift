/// The last entry of a chain at a time. Kept elsewhere, it shows later that nothing up to it was cut off or replaced.
public struct ChainHead: Hashable, Sendable {
    public var sequence: UInt64
    /// In hexadecimal.
    public var hash: String

    public init(sequence: UInt64, hash: String) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Nil: not a number and a hash with a colon between them.
    public init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = UInt64(parts[0]), "\(sequence)" == parts[0],
            (1...ChainEntry.greatestSequence).contains(sequence), parts[1].utf8.count == 64,
            Hexadecimal.isHexadecimal(parts[1])
        else { return nil }
        self.init(sequence: sequence, hash: String(parts[1]))
    }

    public var text: String { "\(sequence):\(hash)" }
}
