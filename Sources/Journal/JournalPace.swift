/// Whether a write is better made at once, on the thread that asks for it, than by the database's own.
///
/// Where a write takes a few milliseconds at most, as in memory or on a disk with a safe cache, it is: two changes of
/// thread cost up to half of one, at each of a sign-out's three. Where it takes long, as on flash that has to be waited for,
/// the asking thread goes on meanwhile. What the last writes took tells which of the two this is, so that a disk that
/// becomes slow is waited for once.
struct JournalPace: Sendable {
    /// Nanoseconds.
    private static let quick: UInt64 = 3_000_000
    private static let enough = 8
    private static let mostRecords = 16

    private var quickWrites = 0
    /// What the database's own thread was asked for and has not done.
    private var waiting = 0

    func isAtOnce(records: Int) -> Bool {
        waiting == 0 && quickWrites >= Self.enough && records <= Self.mostRecords
    }

    mutating func asked() { waiting += 1 }
    mutating func done() { waiting -= 1 }
    mutating func took(_ nanoseconds: UInt64) { quickWrites = nanoseconds < Self.quick ? quickWrites + 1 : 0 }
}
