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

    func judge(_ daemon: Program, _ when: String) {
        let now = daemon.residentMemory
        let verdict = now <= kibibytes ? "" : "   over it"
        let parts = daemon.memoryParts
        print(
            "  \(kind), \(when): \(now) KiB resident, target \(kibibytes) KiB\(verdict); peak \(daemon.peakMemory) KiB; "
                + "\(parts.own) KiB are its own, \(parts.files) KiB pages of programs and libraries")
    }
}
