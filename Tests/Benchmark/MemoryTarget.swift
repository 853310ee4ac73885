import TerminalTesting

/// What batond's memory may be after many turns.
struct MemoryTarget {
    let kibibytes: Int
    let kind: String

    init(kibibytes: Int, of kind: String) {
        self.kibibytes = kibibytes
        self.kind = kind
    }

    func judge(_ daemon: Program) {
        let now = daemon.residentMemory
        let verdict = now <= kibibytes ? "" : "   over it"
        let parts = daemon.memoryParts
        print(
            "  \(kind): \(now) KiB resident, target \(kibibytes) KiB\(verdict); peak \(daemon.peakMemory) KiB; "
                + "\(parts.own) KiB are its own, \(parts.files) KiB pages of programs and libraries")
    }
}
