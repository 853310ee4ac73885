import Synchronization

@testable import Identity

/// A clock that a test sets. Who sleeps wakes when the time has been moved far enough.
final class FlowsClock: Sendable {
    private struct State {
        var now: Int64 = 1_800_000_000
        var sleepers: [(until: Int64, answer: SharedAnswer<Bool>)] = []
        var sleeps: [Duration] = []
    }

    private let state = Mutex(State())
    /// Moves the time on by each sleep, which then takes no time.
    private let jumps: Bool

    init(jumps: Bool = false) { self.jumps = jumps }

    var now: Int64 { state.withLock { $0.now } }
    /// The sleeps that were asked for so far.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    var identityClock: IdentityClock {
        IdentityClock(seconds: { self.now }, sleep: { try await self.sleep($0) })
    }

    /// Returns once somebody has begun to sleep for that long.
    func until(_ duration: Duration) async {
        while !sleeps.contains(duration) { await Task.yield() }
    }

    func advance(_ seconds: Int64) {
        let woken = state.withLock { state in
            state.now += seconds
            let now = state.now
            let woken = state.sleepers.filter { $0.until <= now }
            state.sleepers.removeAll { $0.until <= now }
            return woken
        }
        for sleeper in woken { sleeper.answer.settle(.success(true)) }
    }

    private func sleep(_ duration: Duration) async throws {
        let answer = SharedAnswer<Bool>()
        let isOver = state.withLock { state in
            state.sleeps.append(duration)
            guard !jumps, duration > .zero else {
                state.now += duration.components.seconds
                return true
            }
            state.sleepers.append((state.now + duration.components.seconds, answer))
            return false
        }
        if !isOver { _ = try await answer.value() }
        try Task.checkCancellation()
    }
}
