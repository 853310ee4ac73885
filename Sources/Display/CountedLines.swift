import LinuxSystem

/// Lines of a panel that say how many seconds are left. The panel counts by itself.
package struct CountedLines: Sendable, Hashable {
    /// CLOCK_BOOTTIME in microseconds.
    package let end: UInt64
    private let before: String
    private let after: String
    private let more: [String]

    /// - Parameters:
    ///   - before: What stands before the number in the large line, and `after` behind it.
    ///   - more: The other lines, the button's last.
    package init(end: UInt64, before: String, after: String, more: [String]) {
        self.end = end
        self.before = Self.line(before)
        self.after = Self.line(after)
        self.more = more.map(Self.line)
    }

    /// A name with a line break in it would be two lines, the second of them a button.
    static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

    /// Rounded up: it says 1 until the end.
    package static func secondsLeft(until end: UInt64, at now: UInt64 = BootClock.now) -> Int {
        end > now ? Int(clamping: (end - now - 1) / 1_000_000 + 1) : 0
    }

    func text(_ seconds: Int) -> String { ([before + "\(seconds)" + after] + more).joined(separator: "\n") }
}
