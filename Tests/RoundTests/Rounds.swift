import Baton
import BusTesting
import DBus
import TerminalTesting
import Testing

/// All that runs whole terminals: one after the other, since each has deadlines that a busy machine would miss.
@Suite("Rounds on a real terminal", .serialized)
enum Rounds {}

extension Peer {
    /// Signs out in the background and returns when `SigningOut` has come, so that the barrier is open.
    func beginSignOut(_ options: VariantDictionary = [:]) async throws -> Task<Receipt?, any Error> {
        let signals = try await signals(Device1.signingOut)
        let task = Task { try await signOut(options) }
        for try await _ in signals { break }
        return task
    }

    /// Waits until `List` shows what `condition` asks for.
    func waitForList(_ condition: ([ParticipantStatus]) -> Bool) async throws {
        try await eventually { try await condition(list()) }
    }

    var name: String { connection.uniqueName.rawValue }
}

extension Receipt {
    func participant(_ app: String) -> Participant? { participants.first { $0.app == app } }
}
