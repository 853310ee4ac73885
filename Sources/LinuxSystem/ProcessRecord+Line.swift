import Glibc

extension ProcessRecord {
    /// A process, its parent and so on up to the first one. What changes meanwhile may be missing.
    package static func line(of pid: Int32) -> [Int32] {
        var result: [Int32] = []
        var next = pid
        // A number that is used again while we climb must not lead us round and round.
        while next > 0, !result.contains(next), let record = ProcessRecord(pid: next) {
            result.append(next)
            next = record.parent
        }
        return result
    }
}
