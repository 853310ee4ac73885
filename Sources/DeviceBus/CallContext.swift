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
        administrators: Administrators, log: Logger, errorDetails: ErrorDetails,
        reload: @escaping @Sendable (_ by: Logger.Metadata) async throws -> ReloadReport,
        goOn: @escaping @Sendable (EpochMark) async throws -> Void
    ) {
        self.supervisor = supervisor
        self.connection = connection
        self.agent = agent
        self.tokens = tokens
        self.facts = facts
        self.administrators = administrators
        self.log = log
        audit = AuditTrail(log: log, thread: connection.thread)
        self.errorDetails = errorDetails
        self.reload = reload
        self.goOn = goOn
    }

    func caller(_ sender: BusName) async throws -> Principal { try await Principal(sender, on: connection) }

    func isAdministrator(_ caller: Principal) -> Bool { administrators.contains(caller) }

    func administrator(_ sender: BusName) async throws -> Principal {
        let caller = try await caller(sender)
        guard isAdministrator(caller) else { throw BatonError.forAdministrators }
        return caller
    }

    /// Does what only an administrator may ask for, and has it in the log.
    func administer<Value>(
        _ event: EventID, _ what: String, for sender: BusName, _ details: Logger.Metadata = [:],
        _ act: () async throws -> Value
    ) async throws -> Value {
        let caller = try await caller(sender)
        return try await audit.record(
            event, what, by: caller, details, isAllowed: isAdministrator(caller), act)
    }
}

extension BatonError {
    static let forAdministrators = BatonError(.notAuthorized, "Only an administrator of this device may do that.")
}
