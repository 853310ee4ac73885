import CWayland

/// A session that the compositor itself has locked (`ext-session-lock-v1`): it shows the lock's surfaces and nothing else, gives
/// input to them alone, and stays locked when this program is gone. For the thread of its connection.
final class WaylandSessionLock {
    private enum State { case asked, locked, refused }

    private let connection: WaylandConnection
    private var lock: WaylandObject?
    private var state = State.asked
    /// As soon as the compositor has answered.
    private var isToEnd = false

    /// Nil without memory.
    init?(_ manager: OpaquePointer, on connection: WaylandConnection, changed: @escaping () -> Void) {
        self.connection = connection
        lock = WaylandObject(
            baton_lock_session(manager), on: connection,
            // By `end` alone: an object that is destroyed while it is locked is an error of ours.
            destroy: { _ in }
        ) { [weak self] event, _ in
            switch Int(event) {
            case BATON_SESSION_LOCKED: self?.state = .locked
            // Another program has locked it.
            case BATON_SESSION_LOCK_FINISHED: self?.state = .refused
            default: return
            }
            self?.endIfWanted()
            changed()
        }
        if lock == nil { return nil }
    }

    /// The compositor has not answered.
    var isPending: Bool { state == .asked }

    /// Another program has locked the session, or had.
    var isRefused: Bool { state == .refused }

    var holds: Bool { state == .locked }

    /// Makes of a surface one that an output shows. Nil without memory.
    func cover(_ surface: OpaquePointer, _ output: OpaquePointer) -> OpaquePointer? {
        lock.flatMap { state == .refused ? nil : baton_get_lock_surface($0.raw, surface, output) }
    }

    /// Shows the session again; while it is pending, when the compositor has answered: which of both requests is right hangs on the
    /// answer, and the wrong one leaves the session locked for good.
    func end() {
        isToEnd = true
        endIfWanted()
    }

    private func endIfWanted() {
        guard isToEnd, !isPending, let lock else { return }
        baton_unlock_session(lock.raw, holds ? 1 : 0)
        self.lock = nil
    }
}
