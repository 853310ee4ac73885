import Baton
import DBus
import Synchronization
import TerminalTesting

/// A participant that writes down each answer that it was given, and looks after each restart of batond whether it still
/// counts: what was accepted once is never said again.
final class Bookkeeper: Sendable {
    static let id = "org.example.Bookkeeper"

    private enum Errand: Sendable {
        case enter(CheckedContinuation<Void, any Error>)
        case leave(CheckedContinuation<Void, any Error>)
        case signingOut(Epoch)
        case supervisorCame
    }

    private struct Book {
        var wantsToTakePart = false
        /// As it was last told; nil: it was not, or has left.
        var instance: Instance?
        /// Those that batond agreed to forget.
        var left: Set<Instance> = []
        /// What it said of each turn that it was asked to clear, in order; the last is the one that was accepted.
        var said: [Epoch: [String]] = [:]
        var accepted: Set<Epoch> = []
        var notes = 0
        var faults: [String] = []
    }

    private let peer: Peer
    private let book = Mutex(Book())
    private let errands: AsyncStream<Errand>.Continuation
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(_ terminal: Terminal) async throws {
        peer = try await Peer(terminal)
        let (stream, errands) = AsyncStream.makeStream(of: Errand.self)
        self.errands = errands
        let signals = try await peer.signals(Device1.signingOut)
        let owners = try await peer.connection.owners(of: Device1.busName)
        // One after the other, so that no word is given for a registration that is being replaced.
        let worker = Task { [weak self] in
            for await errand in stream { await self?.run(errand) }
        }
        let listener = Task {
            do { for try await signal in signals { errands.yield(.signingOut(signal.values.0)) } } catch {}
        }
        let watcher = Task {
            do { for try await owner in owners where owner != nil { errands.yield(.supervisorCame) } } catch {}
        }
        tasks.withLock { $0 = [worker, listener, watcher] }
    }

    deinit {
        errands.finish()
        tasks.withLock { for task in $0 { task.cancel() } }
    }

    var faults: [String] { book.withLock(\.faults) }
    private func fault(_ text: String) { book.withLock { $0.faults.append("\(Self.id): \(text)") } }

    /// Takes part from now on, over all restarts.
    func enter() async throws { try await withCheckedThrowingContinuation { errands.yield(.enter($0)) } }
    func leave() async throws { try await withCheckedThrowingContinuation { errands.yield(.leave($0)) } }

    private func run(_ errand: Errand) async {
        switch errand {
        case .enter(let done):
            book.withLock { $0.wantsToTakePart = true }
            do { done.resume(returning: try await register()) } catch { done.resume(throwing: error) }
        case .leave(let done):
            do { done.resume(returning: try await goAway()) } catch { done.resume(throwing: error) }
        // Whoever breaks these off is killed and comes back, and then they are made up for.
        case .signingOut(let epoch): try? await clear(epoch)
        case .supervisorCame: try? await look()
        }
    }

    private func register() async throws {
        let through = book.withLock { book in
            book.instance = nil
            return book.accepted.max() ?? 0
        }
        let registration = try await peer.register(Self.id, clearedThrough: through, clears: false)
        book.withLock { $0.instance = registration.instance }
        if registration.clearThrough > 0 { try await say(registration.clearThrough, registration.instance) }
    }

    private func goAway() async throws {
        // Broken off, it has left or not; the next registration takes the place of this one.
        let last = book.withLock { book in
            defer { book.instance = nil }
            book.wantsToTakePart = false
            return book.instance
        }
        guard let instance = last else { return }
        do {
            try await peer.call(Participants.leave, instance)
        } catch let error as DBusError where error.name?.rawValue == BatonError.prefix + "NotRegistered" {
            // It was heard before batond was killed.
        }
        book.withLock { _ = $0.left.insert(instance) }
        try await look()
    }

    private func clear(_ epoch: Epoch) async throws {
        guard book.withLock(\.wantsToTakePart) else { return }
        guard let instance = book.withLock(\.instance) else { return try await register() }
        guard !book.withLock({ $0.accepted.contains(epoch) }) else { return try await look() }
        try await say(epoch, instance)
    }

    private func say(_ epoch: Epoch, _ instance: Instance) async throws {
        let note = book.withLock { book in
            book.notes += 1
            let note = "entry \(book.notes) of turn \(epoch)."
            book.said[epoch, default: []].append(note)
            return note
        }
        do {
            try await peer.acknowledge(epoch, instance, details: ["note": .string(note)])
            book.withLock { _ = $0.accepted.insert(epoch) }
        } catch let error as DBusError where error.name?.rawValue.hasPrefix(BatonError.prefix) == true {
            fault("its word on \(epoch) for the registration \(instance) was refused: \(error)")
        }
    }

    /// What batond lists of it is what it was told.
    private func look() async throws {
        guard book.withLock({ $0.wantsToTakePart || !$0.left.isEmpty }) else { return }
        let rows = try await peer.list().filter { $0.app == Self.id }
        let (instance, left, accepted) = book.withLock { ($0.instance, $0.left, $0.accepted) }
        for row in rows where left.contains(row.instance) { fault("it had left, and is listed again: \(row)") }
        guard let instance else {
            if book.withLock(\.wantsToTakePart) { try await register() }
            return
        }
        guard let row = rows.first(where: { $0.instance == instance }) else {
            return fault("it was registered as \(instance), and is not listed any more")
        }
        guard row.clearThrough != 0 else { return }
        if accepted.contains(row.clearThrough) { fault("its word was accepted, and it is to clear again: \(row)") }
        // The signal may have come while nobody owned the name. Who keeps silent is contained, and with it this program.
        try await say(row.clearThrough, instance)
    }

    /// What is wrong with its row in a turn's receipt.
    func fault(in receipt: Receipt) -> String? {
        guard let said = book.withLock({ $0.said[receipt.epoch] }) else { return nil }
        guard let row = receipt.participant(Self.id) else {
            return "it spoke in turn \(receipt.epoch), and has no row in the receipt"
        }
        guard row.outcome == .cleared, said.contains(where: row.details.contains) else {
            return "it said \(said) of turn \(receipt.epoch), and the receipt says \(row)"
        }
        return nil
    }
}
