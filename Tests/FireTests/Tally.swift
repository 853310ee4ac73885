import Synchronization

/// What rounds that run beside each other have seen, counted by name.
final class Tally: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

    func count(_ name: String) -> Int { counts.withLock { $0[name] ?? 0 } }
    var sum: Int { counts.withLock { $0.values.reduce(0, +) } }
    var names: [String] { counts.withLock { $0.keys.sorted() } }

    /// Those of the beginnings with which no name begins.
    func missing(_ beginnings: [String]) -> [String] {
        let names = names
        return beginnings.filter { beginning in !names.contains { $0.hasPrefix(beginning) } }
    }
}
