package import BatonContract
package import DBus
package import Journal
import Log
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
    /// Nil: this bus is not polkit's.
    let polkit: Polkit?
    /// The kiosk user and those of turns, about whom polkit is never asked.
    let usersOfTerminal: Set<UInt32>
    let log: Logger
    let audit: AuditTrail
    let errorDetails: ErrorDetails
    /// Many receipts are read for one caller at a time: the journal's own writes wait for what is read.
    let reading = Turnstile()
    /// Reads the settings anew and adopts them, or throws and changes nothing. It is told what the log says of who asked.
    let reload: @Sendable (_ by: Logger.Metadata) async throws -> ReloadReport
    /// Goes on with a journal that knows nothing of that turn.
    let goOn: @Sendable (EpochMark) async throws -> Void

    package init(
        supervisor: Supervisor, connection: Connection, agent: AgentLink, tokens: LaunchTokens, facts: DeviceFacts,
        administrators: Administrators, polkit: Polkit? = nil, usersOfTerminal: Set<UInt32> = [], log: Logger,
        errorDetails: ErrorDetails,
        reload: @escaping @Sendable (_ by: Logger.Metadata) async throws -> ReloadReport,
        goOn: @escaping @Sendable (EpochMark) async throws -> Void
    ) {
        self.supervisor = supervisor
        self.connection = connection
        self.agent = agent
        self.tokens = tokens
        self.facts = facts
        self.administrators = administrators
        self.polkit = polkit
        self.usersOfTerminal = usersOfTerminal
        self.log = log
        audit = AuditTrail(log: log, thread: connection.thread)
        self.errorDetails = errorDetails
        self.reload = reload
        self.goOn = goOn
    }

    func caller(_ sender: BusName) async throws -> Principal { try await Principal(sender, on: connection) }
}
