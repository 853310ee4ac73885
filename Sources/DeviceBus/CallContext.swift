package import BatonContract
package import DBus
package import Journal
package import Logging
import SessionMachine
package import Supervisor

/// What the adapters share: the supervisor behind them and the questions that each has to ask about a caller.
package struct CallContext: Sendable {
    let supervisor: Supervisor
    let connection: Connection
    let agent: AgentLink
    let tokens: LaunchTokens
    let facts: DeviceFacts
    let administrators: Administrators
    let log: Logger
    let errorDetails: ErrorDetails
    /// Many receipts are read for one caller at a time: the journal's own writes wait for what is read.
    let reading = Turnstile()
    /// Reads the settings anew and adopts them, or throws and changes nothing.
    let reload: @Sendable () async throws -> ReloadReport
    /// Goes on with a journal that knows nothing of that turn.
    let goOn: @Sendable (EpochMark) async throws -> Void

    package init(
        supervisor: Supervisor, connection: Connection, agent: AgentLink, tokens: LaunchTokens, facts: DeviceFacts,
        administrators: Administrators, log: Logger, errorDetails: ErrorDetails,
        reload: @escaping @Sendable () async throws -> ReloadReport,
        goOn: @escaping @Sendable (EpochMark) async throws -> Void
    ) {
        self.supervisor = supervisor
        self.connection = connection
        self.agent = agent
        self.tokens = tokens
        self.facts = facts
        self.administrators = administrators
        self.log = log
        self.errorDetails = errorDetails
        self.reload = reload
        self.goOn = goOn
    }

    func caller(_ sender: BusName) async throws -> Principal { try await Principal(sender, on: connection) }

    func isAdministrator(_ caller: Principal) -> Bool { administrators.contains(caller) }

    func administrator(_ sender: BusName) async throws -> Principal {
        let caller = try await caller(sender)
        guard isAdministrator(caller) else {
            throw BatonError(.notAuthorized, "Only an administrator of this device may do that.")
        }
        return caller
    }
}
