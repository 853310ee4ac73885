import BatonContract
import DBus
import Identity
import LinuxSystem
import Logging
import Providers
import SessionMachine
import Settings
import Supervisor
import Vocabulary

/// Which identity provider the daemon has, from start to stop and over changes of the settings.
struct Providers: Sendable {
    let supervisor: Supervisor
    let options: DaemonOptions
    let log: Logger

    static func make(
        _ settings: Settings, on thread: BusThread, journal: any LedgerStore, _ options: DaemonOptions, _ log: Logger
    ) async throws -> any IdentityProvider {
        switch settings.identity {
        case .local(let accounts):
            return try await LocalProvider(
                accounts: accounts, thread: thread, journal: journal, clock: options.clock, log: log,
                names: settings.log.names)
        case .oidc(let openID):
            do throws(IdentityError) {
                return try OpenIDProvider(
                    openID, of: settings, scope: options.scope, environment: options.environment, clock: options.clock,
                    thread: thread, log: log)
            } catch {
                throw DaemonFault.settings([SettingsCheck.Remark(text: "\(SettingsKey.identity): \(error.text)")])
            }
        }
    }

    func make(_ settings: Settings, journal: any LedgerStore) async throws -> any IdentityProvider {
        try await Self.make(settings, on: supervisor.thread, journal: journal, options, log)
    }

    /// Lets the supervisor's provider begin, with what systemd kept of an earlier batond's sessions.
    func start(keeping kept: [DescriptorStore.Kept] = []) async {
        let supervisor = supervisor
        let news = ProviderNews(
            signOut: { epoch, reason in
                supervisor.thread.perform {
                    supervisor.assumeIsolated { $0.ask({ .signOut($0, epoch: epoch, reason) }, then: { _ in }) }
                }
            },
            told: { epoch, report in await supervisor.post(.signedOutAtProvider(epoch, report)) },
            turn: { await supervisor.machine.ledger.providerTurn },
            looked: { supervisor.thread.performLater { supervisor.assumeIsolated { $0.figuresChanged() } } })
        let ledger = await supervisor.machine.ledger
        let provider = await supervisor.provider
        if provider.kind == .local {
            // Of a provider that this device has no more.
            let store = DescriptorStore(notice: ReadyNotice(socketPath: options.environment["NOTIFY_SOCKET"]))
            for session in kept { store.remove(session.epoch, generation: session.generation) }
        }
        await provider.start(
            news, ProviderStart(turn: ledger.providerTurn, lastEnded: ledger.lastEnded, kept: kept))
        if let turn = ledger.providerTurn, turn.isOpen, turn.holder != .unknown, !provider.knows(turn.holder) {
            log.error("the account that holds the device is not in the settings any more; it is signed out")
            news.signOut(turn.epoch, .administrator)
        }
    }

    /// Takes over settings that have been checked as a whole.
    ///
    /// - Throws: When they need another provider while a worker holds the device, whose tokens the present one has.
    func adopt(_ settings: Settings) async throws {
        let (old, before) = (await supervisor.settings, await supervisor.provider)
        let isSame = settings.openID != nil && settings.openID == old.openID
        let isFree = await [.ready, .quarantined].contains(supervisor.machine.phase)
        // What a file holds may have changed too, so that a free device begins anew.
        if isSame, !isFree || settings.openID?.namesFiles == false {
            await before.update(settings)
            return await supervisor.adopt(settings, provider: before)
        }
        let provider = try await make(settings, journal: supervisor.journal)
        let isLocal = settings.openID == nil && old.openID == nil
        guard await supervisor.adopt(settings, provider: provider, evenInUse: isLocal) else {
            await provider.stop()
            throw BatonError(
                .invalidArgument, "The identity provider's settings have changed. Reload when no worker is signed in.")
        }
        await before.retire()
        await start()
    }

    func stop() async { await supervisor.provider.stop() }
}

extension Ledger {
    /// The turn that runs, as a provider has to know of it.
    var providerTurn: ProviderStart.Turn? {
        device.turn.map { turn in
            ProviderStart.Turn(
                epoch: turn.epoch, holder: turn.holder, isOpen: barrier == nil, isTold: barrier?.provider != nil)
        }
    }
}

extension OpenIDSettings {
    /// Whether there is anything that can change without the settings.
    var namesFiles: Bool { credential != .none || caFile != nil }
}
