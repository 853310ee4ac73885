import Baton
import BusTesting
import DBus
import Synchronization
import TerminalTesting

/// An app of the client library that nobody helps over the restarts, and what went wrong as it saw it.
final class AppUnderFire: Sendable {
    private struct State {
        var held: (epoch: Epoch, username: String)?
        var faults: [String] = []
        var waiting: (epoch: Epoch, continuation: CheckedContinuation<Void, Never>)?
    }

    let id: String
    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ id: String, on terminal: Terminal) {
        self.id = id
        let memory = ParticipationMemory.file("\(terminal.folder)/data/\(id).json")
        let address = terminal.bus.rawAddress
        let running = Task { [weak self] in
            do {
                try await Device.connect(.address(address)).participate(as: id, memory: memory) { [weak self] in
                    self?.signedIn($0.username, $1)
                } clear: { [weak self] _ in
                    self?.clear() ?? .failed
                }
            } catch {
                if !Task.isCancelled { self?.fault("it takes part no more: \(error)") }
            }
        }
        task.withLock { $0 = running }
    }

    deinit { task.withLock { $0?.cancel() } }

    /// The turn whose data it holds.
    var held: Epoch? { state.withLock { $0.held?.epoch } }
    var faults: [String] { state.withLock(\.faults) }

    private func fault(_ text: String) { state.withLock { $0.faults.append("\(id): \(text)") } }

    private func signedIn(_ username: String, _ epoch: Epoch) {
        state.withLock { state in
            if let held = state.held, held.epoch != epoch || held.username != username {
                state.faults.append("\(id): \(username) came in turn \(epoch) while it held \(held)")
            }
            state.held = (epoch, username)
            if let waiting = state.waiting, waiting.epoch == epoch {
                state.waiting = nil
                waiting.continuation.resume()
            }
        }
    }

    /// Returns when it holds this turn's data.
    func holds(_ epoch: Epoch) async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.held?.epoch == epoch { continuation.resume() } else { state.waiting = (epoch, continuation) }
            }
        }
    }

    private func clear() -> AcknowledgementOutcome {
        state.withLock { state in
            defer { state.held = nil }
            return state.held == nil ? .nothingToClear : .cleared
        }
    }
}
