internal import Identity
internal import Supervision

/// One epoch's tokens, and how often they have changed.
struct KeptSession: Sendable {
    let session: WorkerSession
    /// Of the copy in the descriptor store.
    var generation: UInt64 = 0
}
