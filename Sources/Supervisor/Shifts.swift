import Settings

/// The ends of shifts that are waited for. Instants are Unix seconds, of a clock that may be set at any time.
struct Shifts {
    /// Each time of day is looked for from that instant on.
    private var after: [TimeOfDay: Int] = [:]

    /// The earliest end; nil: none is waited for.
    var next: Int? { after.compactMap { ShiftClock.next($0.key, after: $0.value) }.min() }

    /// Waits for these from now on. Those that were waited for before stay as they are: settings that are read anew right at the
    /// end of a shift must not lose it.
    mutating func wait(for times: [TimeOfDay], since: Int) {
        let before = after
        after = [:]
        for time in times { after[time] = before[time] ?? since }
    }

    /// Whether a shift has just ended.
    mutating func look(at now: Int) -> Bool {
        guard let next else { return false }
        guard now >= next else {
            // The clock was set back: what was waited for from later on would skip the shift of today.
            after = after.mapValues { min($0, now) }
            return false
        }
        after = after.mapValues { _ in now }
        // After a long suspend the shift that ended long ago says nothing about this worker.
        return now - next < 2 * ShiftClock.longestNap
    }
}
