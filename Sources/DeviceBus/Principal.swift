import BatonContract
import DBus
import SessionMachine

/// What the supervisor knows of the connection behind a call; all of it comes from the bus.
struct Principal: Sendable {
    var sender: Sender
    var user: UInt32
    var pid: Int32
    var groups: [UInt32]

    /// Without credentials there is no caller: nothing is decided in the name of a connection that left in between.
    init(_ sender: BusName, on connection: Connection) async throws {
        let credentials: Credentials
        do {
            credentials = try await connection.credentials(of: sender)
        } catch {
            throw BatonError(.notAuthorized, "The bus does not identify the caller.")
        }
        self.sender = sender.rawValue
        user = credentials.uid
        pid = credentials.pid ?? 0
        groups = credentials.groups ?? []
    }
}
