import BatonContract
package import DBus
import LocalAccounts
import Log
import Logging
import Providers
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
            return try await context.administer(
                .quarantineReset, "a quarantine was to be ended", for: caller, as: .reset
            ) {
                try await Self.endQuarantine(context, resetJournal)
            }
        }
        object.answer(Administration.forgetApp) { caller, arguments in
            let (user, id) = arguments
            try await context.administer(
                .appForgotten, "what an app owes was to be forgotten", for: caller, as: .forgetApp,
                ["app": "\(AuditTrail.short(id))", "app-uid": "\(user)"]
            ) {
                try await context.supervisor.ask { .forgetApp($0, AppKey(uid: user, id: id)) }.done()
            }
        }
        object.answer(Administration.setDeviceMode) { caller, word in
            try await context.administer(
                .modeSet, "the mode was to be set", for: caller, as: .setDeviceMode,
                ["mode": "\(AuditTrail.short(word))"]
            ) {
                guard let mode = Mode(rawValue: word) else {
                    throw BatonError(.invalidArgument, "A mode is 'shared' or 'default'.")
                }
                try await context.supervisor.ask { .setMode($0, mode, from: caller.name.rawValue) }.done()
            }
        }
        object.answer(Administration.reload) { caller, _ in
            let principal = try await context.caller(caller.name)
            // batond's own user asks as well, from the unit: `systemctl reload` fails when the settings are refused.
            let standing: Standing =
                principal.user == SystemAccounts.own
                ? .success(context.administrators.ground(principal) ?? .batond)
                : await context.standing(caller, principal, for: .reload)
            return try await context.audit.record(
                .reloadAsked, "the settings were to be read anew", by: principal, standing
            ) {
                try await context.reload(await context.audit.who(principal)).dictionary
            }
        }
        object.answer(Administration.listPINAttempts) { caller, _ in
            _ = try await context.administrator(caller, for: .unlockAccount)
            return await context.supervisor.provider.accountAttempts().map(\.dictionary)
        }
        object.answer(Administration.unlockAccount) { caller, username in
            guard LocalAccount.isUsername(username) else {
                throw BatonError(.invalidArgument, "username: this is not a user name.")
            }
            let names = await context.supervisor.settings.log.names
            let shown = names == .plain ? username : MaskedName.of(username)
            try await context.administer(
                .accountUnlocked, "an account's wrong PINs were to be forgotten", for: caller, as: .unlockAccount,
                ["account": "\(shown)"]
            ) {
                do throws(Refusal) {
                    try await context.supervisor.provider.forgetAttempts(of: username)
                } catch {
                    throw BatonError(error)
                }
            }
        }
        object.answer(Administration.exportReceipts) { caller, options in
            try await ReceiptExport(context: context).answer(caller, options)
        }
        object.keepRoom(for: Administration.endQuarantine)
    }

    private static func endQuarantine(
        _ context: CallContext, _ resetJournal: @Sendable () async throws -> JournalReset?
    ) async throws -> VariantDictionary {
        switch try await resetJournal() {
        case nil: break
        case .mended: return [:]
        case .new:
            // Ready is only what has ended, and the end of this turn is not known: its reset follows.
            guard await context.supervisor.machine.phase == .clearing else { return [:] }
            await context.supervisor.waitForAgent(atMost: agentReturns)
        }
        let answer = await context.supervisor.ask { .endQuarantine($0) }
        let journalID = await context.supervisor.journalID
        return try answer.value { answer in
            guard case .receipt(let record) = answer else { return nil }
            return record.map { Receipt($0, journalID: journalID).dictionary } ?? [:]
        }
    }
}
