import BatonContract
package import DBus
import SessionMachine
import Settings
import Supervisor
import Vocabulary

/// Answers `org.baton.Device1.Administration`, to administrators alone.
package struct AdministrationAdapter {
    let context: CallContext
    /// Moves an unreadable journal aside and goes on with a new one; nil when the journal is readable.
    let resetJournal: @Sendable () async throws -> JournalReset?

    package init(context: CallContext, resetJournal: @escaping @Sendable () async throws -> JournalReset?) {
        self.context = context
        self.resetJournal = resetJournal
    }

    /// How long the agent has to come back that a new journal's name on the bus makes register again.
    private static let agentReturns: Duration = .seconds(15)

    package func serve(on object: inout ServedObject) {
        let context = context
        let resetJournal = resetJournal
        object.answer(Administration.endQuarantine) { caller, options in
            if let name = options.keys.first { throw BatonError.unknown("option", name) }
            _ = try await context.administrator(caller.name)
            switch try await resetJournal() {
            case nil: break
            case .mended: return [:]
            case .new:
                // Ready is only what has ended, and the end of this turn is not known: its reset follows.
                guard await context.supervisor.machine.phase == .clearing else { return [:] }
                await context.supervisor.waitForAgent(atMost: Self.agentReturns)
            }
            let answer = await context.supervisor.ask { .endQuarantine($0) }
            let journalID = await context.supervisor.journalID
            return try answer.value { answer in
                guard case .receipt(let record) = answer else { return nil }
                return record.map { Receipt($0, journalID: journalID).dictionary } ?? [:]
            }
        }
        object.answer(Administration.forgetApp) { caller, arguments in
            _ = try await context.administrator(caller.name)
            let (user, id) = arguments
            try await context.supervisor.ask { .forgetApp($0, AppKey(uid: user, id: id)) }.done()
        }
        object.answer(Administration.setDeviceMode) { caller, word in
            _ = try await context.administrator(caller.name)
            guard let mode = Mode(rawValue: word) else {
                throw BatonError(.invalidArgument, "A mode is 'shared' or 'default'.")
            }
            try await context.supervisor.ask { .setMode($0, mode, from: caller.name.rawValue) }.done()
        }
        object.answer(Administration.reload) { caller, _ in
            // batond's own user asks as well, from the unit: `systemctl reload` fails when the settings are refused.
            if try await context.caller(caller.name).user != SystemAccounts.own {
                _ = try await context.administrator(caller.name)
            }
            return try await context.reload().dictionary
        }
        object.keepRoom(for: Administration.endQuarantine)
    }
}
