import Synchronization
import Vocabulary

@testable import DeviceMetrics

/// Gives the figures of a device when the test lets it.
final class ScriptedSource: Sendable {
    private struct State {
        var turns: UInt64 = 0
        var isSilent = false
        var waiting: [@Sendable (DeviceFigures) -> Void] = []
    }

    private let state = Mutex(State())

    var source: MetricsSource {
        MetricsSource(ask: { [self] in ask($0) }, process: { .example })
    }

    /// One more turn has begun.
    func turn() { state.withLock { $0.turns += 1 } }

    /// Whoever asks waits until `speak`.
    func beSilent() { state.withLock { $0.isSilent = true } }

    func speak() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isSilent = false
            return state.waiting
        }
        for each in waiting { ask(each) }
    }

    private func ask(_ then: @escaping @Sendable (DeviceFigures) -> Void) {
        let turns: UInt64? = state.withLock { state in
            if state.isSilent { state.waiting.append(then) }
            return state.isSilent ? nil : state.turns
        }
        guard let turns else { return }
        var figures = DeviceFigures.unknown
        for _ in 0..<turns { figures.tally.turnBegan() }
        then(figures)
    }
}
