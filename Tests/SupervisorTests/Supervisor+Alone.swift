import DBus
import LocalAccounts
import Logging
import Vocabulary

@testable import Journal
@testable import Providers
@testable import SessionMachine
@testable import Settings
@testable import Supervisor

extension Supervisor {
    /// One that has begun, on a bus thread of its own, with nobody on the bus and Ana on the device.
    ///
    /// - Parameter shared: The thread of a connection to share; nil: one of its own.
    static func alone(
        with journal: any LedgerStore, on shared: BusThread? = nil, requiresAgent: Bool = false,
        marker: Marker = Marker("/nonexistent/marker"), clock: Clock = .system,
        announce: @escaping @Sendable (Effect.Announcement) -> Void = { _ in }
    ) async throws -> Supervisor {
        var ledger = Ledger(epoch: 8)
        var device = ledger.device
        (device.busID, device.bootID) = ("bus", "boot")
        device.turn = Ledger.TurnRecord(epoch: 8, holder: TurnAccount(id: "local#ana"), when: 1)
        ledger.apply(.device(device))
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var settings = Settings(defaultsFor: .session)
        settings.agent.required = requiresAgent
        let thread = if let shared { shared } else { try BusThread() }
        let provider = try await LocalProvider(accounts: [], thread: thread, journal: journal, clock: .system, log: log)
        let supervisor = Supervisor(
            thread: thread, ledger: ledger, journal: journal, marker: marker, settings: settings, provider: provider,
            clock: clock, log: log)
        let outlet = EffectOutlet(
            publish: { _, _ in }, announce: announce, ask: { _ in }, listen: {},
            open: { (_, _) async throws(Refusal) in throw .failed }, step: { _, _ in })
        await supervisor.start(on: outlet, in: StartFindings(busID: "bus", bootID: "boot", alive: []), opening: {})
        await supervisor.drain()
        return supervisor
    }

    /// An agent comes, and is prepared.
    func agentComes() {
        post(.agentArrived(1))
        post(.agentRegistered(1))
    }
}
