import BatonContract
import DBus
import DeviceBus
import Journal
import Log
import Logging
import Providers
import SessionMachine
import Settings
import Supervisor

/// Beginning to work where a journal says, at the start and when another takes the place of one that cannot be read.
extension DaemonLife {
    /// Starts the machine and owns the name.
    ///
    /// - Parameter isNew: No other machine had that name before: otherwise it is given up first, since apps and agent register
    ///   again when it has a new owner, which is how they learn of the new journal.
    func ownName(isNew: Bool = true) async throws {
        // What belongs to a turn that cannot be read stays with systemd until a batond can read it.
        let isSealed = await supervisor.journal is UnreadableJournal
        // Before the machine goes on with a sign-out, its provider has what it needs for that.
        await providers.start(keeping: isSealed ? [] : kept.take())
        let supervisor = supervisor
        let outlet = EffectOutlet.bus(connection, agent: agent, delay: delay, log: log) { holder, epoch in
            supervisor.assumeIsolated { $0.account(of: holder, in: epoch) }
        }
        let surroundings = await surroundings()
        if !isNew {
            await agent.forget()
            // As late as can be: meanwhile no batond can be called.
            try await connection.release(Device1.busName)
        }
        // No client hears signals of a process that does not own the name, and a call before that would be answered with what
        // was true before the restart.
        try await connection.own(Device1.busName) { ask in
            supervisor.assumeIsolated { $0.start(on: outlet, in: surroundings, opening: ask) }
        }
    }

    /// An administrator has a journal that cannot be read moved aside, or goes on with one that has been mended; every app
    /// registers anew.
    ///
    /// - Returns: What there is in its place; nil: it can be read. A quarantine that a mended journal holds could not be seen
    ///   before: it goes on, and its administrator ends it when they have.
    func resetJournal() async throws -> JournalReset? {
        // Not in the caller's task: one who leaves in the middle must not break it off. Nor where messages are waited for.
        try await Task(executorPreference: options.executor) {
            try await changes.pass { try await replaceJournal() }
        }.value
    }

    private func replaceJournal() async throws -> JournalReset? {
        guard await supervisor.journal is UnreadableJournal else { return nil }
        let settings = await supervisor.settings
        let opened: JournalOpening
        do throws(JournalFault) {
            opened = try JournalOpening.reset(
                places, settings: settings, key: receiptKey, clock: options.clock, log: log)
        } catch {
            throw BatonError(.failed, "\(error)")
        }
        try await goOn(with: opened, settings)
        return opened.isReset ? .new : .mended
    }

    /// An app was in a turn that the journal knows nothing of: an older copy was put back. Goes on as a start would that finds
    /// such a copy.
    func goOn(knowing mark: EpochMark) async throws {
        try await Task(executorPreference: options.executor) {
            try await changes.pass { try await openAgain(knowing: mark) }
        }.value
    }

    private func openAgain(knowing mark: EpochMark) async throws {
        // Another app may have said it meanwhile.
        guard await supervisor.isForgotten(mark) else { return }
        log.tell(
            .journalFault, .critical, "the journal is an older copy: an app was in a later turn",
            ["epoch": "\(mark.epoch)"])
        let settings = await supervisor.settings
        await supervisor.pause()
        await supervisor.journal.close()
        do {
            let opened = try JournalOpening.again(
                places, settings: settings, key: receiptKey, clock: options.clock, log: log, knowing: mark)
            try await goOn(with: opened, settings)
        } catch {
            // There is nothing to go on with. The next start finds the journal, and the apps, which say it again.
            log.tell(.journalFault, .critical, "the journal cannot be read or written", ["error": "\(error)"])
            await connection.close()
            throw BatonError(.failed, "\(error)")
        }
    }

    private func goOn(with opened: JournalOpening, _ settings: Settings) async throws {
        let provider: any IdentityProvider
        do {
            provider = try await providers.make(settings, journal: opened.journal)
        } catch {
            opened.journal.close()
            throw error
        }
        log.tell(.journalRecovered, .notice, "the journal can be read and written again")
        do {
            let before = await supervisor.provider
            await supervisor.replace(opened.journal, opened.ledger, provider: provider)
            await before.retire()
            try await ownName(isNew: false)
        } catch {
            // Without the name batond is of no use to any client; started again, it finds a journal that can be read.
            await connection.close()
            throw error
        }
    }
}
