public import Vocabulary

/// The first thing that is wrong with a chain.
public struct ChainFault: Error, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A value is not of the form that batond writes.
        case malformed
        /// Signed with a key that was not given; its id.
        case otherKey(String)
        /// The signature is not of what stands there: changed, or forged.
        case changed
        /// The receipt is another text than the one that was signed.
        case receiptChanged
        /// The receipt is not there, and no later entry says that the device no longer keeps it.
        case receiptMissing
        /// Entries up to the one before this are missing; the first of them.
        case missing(from: UInt64)
        /// It stands behind an entry with the same or a higher number.
        case outOfOrder(after: UInt64)
        /// It has the right number and does not follow the entry before: one of the two is of another chain.
        case notFollowing
        /// The entry with the number of the published head is another one.
        case otherHead
        /// The chain ends at this entry, before the published head.
        case cutOff(head: UInt64)
        /// The chain begins behind the published head.
        case begunAfterHead(UInt64)
        /// There is no entry at all.
        case empty
        /// A receipt has no entry: batond did not write it.
        case unchained
    }

    public var kind: Kind
    /// Which entry of those that were read, from 1; 0: none.
    public var place: Int
    /// The number of the entry; 0: none.
    public var sequence: UInt64
    /// The turn of the entry; 0: none.
    public var epoch: Epoch

    public init(_ kind: Kind, place: Int, sequence: UInt64 = 0, epoch: Epoch = 0) {
        self.kind = kind
        self.place = place
        self.sequence = sequence
        self.epoch = epoch
    }
}
