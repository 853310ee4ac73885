import TerminalTesting

/// What batond's memory may be after many turns.
struct MemoryTarget {
    let kibibytes: Int
    let kind: String

    init(kibibytes: Int, of kind: String) {
        self.kibibytes = kibibytes
        self.kind = kind
    }

    /// How long after a turn the next one is not in a row with it: batond lets go of what turns needed at the end of one, but
    /// not of each in a row.
    static let rest = Duration.seconds(11)

    /// What batond's own memory may grow by between the first tenth of the turns and the last, in KiB: as much as a few pages
    /// of its journal and of the allocator, and little enough that a thousand turns that each left 1 KiB would show.
    static let growth = 1024

    /// - Parameters:
    ///   - warm: Its own memory after the first turns; what these bring in, such as libraries and caches, stays.
    ///   - rounds: How many turns there were since.
    func judgeGrowth(_ daemon: Program, since warm: Int?, rounds: Int) {
        let own = daemon.memoryParts.own
        let growth = own - (warm ?? own)
        let verdict = growth <= Self.growth ? "" : "   over it"
        print(
            "  its own grew by \(growth) KiB in the last \(rounds) turns (\(growth * 1024 / max(1, rounds)) bytes a turn), "
                + "target \(Self.growth) KiB\(verdict)")
    }

    func judge(_ daemon: Program, _ when: String) {
        let now = daemon.residentMemory
        let verdict = now <= kibibytes ? "" : "   over it"
        let parts = daemon.memoryParts
        print(
            "  \(kind), \(when): \(now) KiB resident, target \(kibibytes) KiB\(verdict); peak \(daemon.peakMemory) KiB; "
                + "\(parts.own) KiB are its own, \(parts.files) KiB pages of programs and libraries")
    }
}
