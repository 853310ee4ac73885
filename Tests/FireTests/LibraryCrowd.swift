import Baton
import BusTesting
import Synchronization
import TerminalTesting

/// Participants of the client library in this one process, each with a device of its own, as programs of their own have.
final class LibraryCrowd: Sendable {
    private struct State {
        var registered: Set<Int> = []
        var held: [Int: Epoch] = [:]
        /// How often each has cleared what it held.
        var cleared: [Int: Int] = [:]
        var faults: [String] = []
        var waiting: [(isDone: @Sendable (borrowing State) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let count: Int
    private let tasks: Mutex<[Task<Void, Never>]>

    init(_ count: Int, on terminal: Terminal) {
        self.count = count
        tasks = Mutex([])
        let running = (0..<count).map { number in
            Task { [weak self] in
                let id = "org.example.App\(number)"
                do {
                    try await terminal.device().participate(
                        as: id, memory: .file("\(terminal.folder)/data/\(id).json")
                    ) { [weak self] _, epoch in
                        self?.change { $0.held[number] = epoch }
                    } clear: { [weak self] _ in
                        self?.clear(number) ?? .failed
                    } registered: { [weak self] in
                        self?.change { _ = $0.registered.insert(number) }
                    }
                } catch {
                    if !Task.isCancelled { self?.change { $0.faults.append("\(id): \(error)") } }
                }
            }
        }
        tasks.withLock { $0 = running }
    }

    var faults: [String] { state.withLock(\.faults) }
    var timesCleared: [Int] { state.withLock { Array($0.cleared.values) } }

    /// Returns when all are registered, or one has failed.
    func registered() async { await wait { [count] in $0.registered.count == count } }

    /// Returns when all have been told of the worker of this turn.
    func told(of epoch: Epoch) async {
        await wait { [count] in $0.held.values.count { $0 == epoch } == count }
    }

    /// Ends all of them and waits for that.
    func leave() async {
        let tasks = tasks.withLock { $0 }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func clear(_ number: Int) -> AcknowledgementOutcome {
        var outcome = AcknowledgementOutcome.nothingToClear
        change { state in
            guard state.held.removeValue(forKey: number) != nil else { return }
            state.cleared[number, default: 0] += 1
            outcome = .cleared
        }
        return outcome
    }

    private func wait(until isDone: @escaping @Sendable (borrowing State) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.waiting.append((isDone, continuation)) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let done = state.withLock { state in
            body(&state)
            var done: [CheckedContinuation<Void, Never>] = []
            var rest: [(isDone: @Sendable (borrowing State) -> Bool, CheckedContinuation<Void, Never>)] = []
            for waiter in state.waiting {
                if !state.faults.isEmpty || waiter.isDone(state) { done.append(waiter.1) } else { rest.append(waiter) }
            }
            state.waiting = rest
            return done
        }
        for continuation in done { continuation.resume() }
    }
}
