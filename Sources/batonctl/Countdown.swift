import Glibc
import Synchronization
import SystemPackage

/// The time that is left, on the last line of a terminal, once a second.
final class Countdown: Sendable {
    private struct State {
        /// Unix time in microseconds; 0: nothing to count.
        var end: UInt64 = 0
        var isShown = false
    }

    private let state = Mutex(State())
    private let isTerminal = isatty(STDERR_FILENO) == 1 && Terminal.environment["TERM"] != "dumb"

    /// Counts until the task is cancelled.
    func run() async {
        guard isTerminal else { return }
        while !Task.isCancelled {
            draw()
            try? await Task.sleep(for: .seconds(1))
        }
        clear()
    }

    func show(until end: UInt64) {
        state.withLock { $0.end = end }
        draw()
    }

    /// Takes the line away, so that something else can be written in its place.
    func clear() {
        state.withLock { state in
            if state.isShown { Terminal.write("\r\u{1B}[K", to: .standardError) }
            state.isShown = false
            state.end = 0
        }
    }

    private func draw() {
        guard isTerminal else { return }
        state.withLock { state in
            guard state.end > 0 else { return }
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let left = (state.end / 1_000_000).subtractingReportingOverflow(UInt64(clamping: now.tv_sec))
            Terminal.write("\r\u{1B}[K\(Text.timeLeft(left.overflow ? 0 : left.partialValue))", to: .standardError)
            state.isShown = true
        }
    }
}
