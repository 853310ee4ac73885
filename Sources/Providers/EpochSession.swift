import Identity
import SessionMachine

/// One epoch's tokens, and how often they have changed.
struct EpochSession: Sendable {
    let session: WorkerSession
    /// Of the copy in the descriptor store.
    var generation: UInt64 = 0
}

/// A sign-in that succeeded and waits for the machine's word.
struct Arrival: Sendable {
    let session: WorkerSession
    /// The worker who holds the device allowed an app something; what they had stays good.
    var isForApp: Bool
}
