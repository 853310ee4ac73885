internal import BatonContract
internal import DBus
internal import Logging
internal import Supervision

/// What the adapters share: the supervisor behind them and the questions that each has to ask about a caller.
struct Desk: Sendable {
    let supervisor: Supervisor
    let connection: Connection
    let agent: AgentLink
    let tokens: LaunchTokens
    let facts: DeviceFacts
    let log: Logger
    /// Reads the settings anew and adopts them, or throws and changes nothing.
    let reload: @Sendable () async throws -> ReloadReport

    func caller(_ sender: BusName) async throws -> Principal { try await Principal(sender, on: connection) }

    func isAdministrator(_ caller: Principal) async -> Bool {
        let settings = await supervisor.settings
        return Access(settings.administrators, owner: facts.owner)
            .isAdministrator(user: caller.user, groups: caller.groups)
    }

    func administrator(_ sender: BusName) async throws -> Principal {
        let caller = try await caller(sender)
        guard await isAdministrator(caller) else {
            throw BatonError(.notAuthorized, "Only an administrator of this device may do that.")
        }
        return caller
    }
}
