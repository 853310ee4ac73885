import LinuxSystem

/// What a panel shows while it counts, for the thread that draws it: each second it wakes once.
struct PanelCount {
    private var lines: CountedLines?
    private var shown = 0

    /// What is to be drawn for an order; nil: nothing is to be seen any more.
    mutating func face(for order: CoverOrders.Order) -> CoverFace? {
        lines = nil
        switch order {
        case .cover(let face): return face
        case .count(let lines): return begin(lines)
        case .uncover: return nil
        }
    }

    /// What is to be drawn now.
    mutating func begin(_ lines: CountedLines) -> CoverFace {
        self.lines = lines
        shown = CountedLines.secondsLeft(until: lines.end)
        return .lines(lines.text(shown))
    }

    /// What is to be drawn from now on; nil: what is there still holds.
    mutating func next(at now: UInt64 = BootClock.now) -> CoverFace? {
        guard let lines, case let left = CountedLines.secondsLeft(until: lines.end, at: now), left != shown else {
            return nil
        }
        shown = left
        return .lines(lines.text(left))
    }

    /// How long the thread may sleep, in milliseconds; -1: as long as it likes.
    func pause(at now: UInt64 = BootClock.now) -> CInt {
        guard let lines, shown > 0, lines.end > now else { return -1 }
        return CInt(clamping: (lines.end - now - 1) % 1_000_000 / 1000 + 1)
    }
}
