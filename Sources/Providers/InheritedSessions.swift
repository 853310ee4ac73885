import Synchronization

/// What systemd kept of an earlier batond's sessions, until it is taken: nothing else holds on to the tokens then.
package final class InheritedSessions: Sendable {
    private let sessions: Mutex<[DescriptorStore.Kept]>

    init(_ sessions: [DescriptorStore.Kept]) { self.sessions = Mutex(sessions) }

    /// All of them, once.
    package func take() -> [DescriptorStore.Kept] {
        sessions.withLock { sessions in
            defer { sessions = [] }
            return sessions
        }
    }
}
