import Glibc

extension ProcessRecord {
    /// A process, its parent and so on up to the first one. What changes meanwhile may be missing.
    static func line(of pid: pid_t) -> [pid_t] {
        var result: [pid_t] = []
        var next = pid
        // A number that is used again while we climb must not lead us round and round.
        while next > 0, !result.contains(next), let record = ProcessRecord(pid: next) {
            result.append(next)
            next = record.parent
        }
        return result
    }
}
