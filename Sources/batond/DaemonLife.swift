import BatonContract
import DBus
import DeviceBus
import Journal
import LinuxSystem
import LocalAccounts
import Log
import Logging
import Providers
import ReceiptChain
import ServiceLifecycle
import SessionMachine
import Settings
import Supervisor
import SystemPackage
import Vocabulary

/// The parts of a running daemon and how they are joined.
struct DaemonLife {
    let supervisor: Supervisor
    let connection: Connection
    let agent: AgentLink
    /// Nil: the machine is not this batond's to keep awake.
    let delay: PowerDownDelay?
    private let errorDetails = ErrorDetails()
    private let credential: AgentCredential
    let providers: Providers
    let metrics: MetricsOutlets
    let options: DaemonOptions
    let places: DaemonOptions.FolderLayout
    /// Of a credential; nil: the state folder has it.
    let receiptKey: ReceiptKey?
    let settings: Settings
    private let administrators: Administrators
    /// Nil: this bus is not polkit's.
    private let polkit: Polkit?
    /// Each takes the place of what the one before it has put there.
    let changes = Turnstile()
    let log: Logger
    private let logControl: LogControl
    let kept: InheritedSessions

    init(
        settings: Settings, connection: Connection, places: DaemonOptions.FolderLayout, options: DaemonOptions,
        receiptKey: ReceiptKey?, kept: InheritedSessions, log: Logger, logControl: LogControl,
        whenCalm: @escaping @Sendable () -> Void
    ) async throws {
        self.kept = kept
        self.connection = connection
        credential = AgentCredential(thread: connection.thread)
        self.options = options
        self.places = places
        self.receiptKey = receiptKey
        self.settings = settings
        let access = await Administrators.look(settings, owner: Self.owner(options), on: connection.thread)
        if let access { log.warn(ofUnknown: access) } else { log.warning("\(Self.directoryHangs)") }
        administrators = Administrators(access ?? Access(owner: Self.owner(options), unknown: settings.administrators))
        polkit = options.scope == .system ? Polkit(connection, log: log) : nil
        self.log = log
        self.logControl = logControl
        let opened = try JournalOpening.open(
            places, settings: settings, key: receiptKey, clock: options.clock, log: log)
        let provider = try await Providers.make(
            settings, on: connection.thread, journal: opened.journal, options, log)
        let turns = options.scope == .system ? await TurnKeeper.detect(log: log) : nil
        supervisor = Supervisor(
            thread: connection.thread, ledger: opened.ledger,
            sealed: opened.fault.map { .unreadableJournal($0.description) },
            journal: opened.journal,
            marker: Marker(in: places.runtime.string), settings: settings, provider: provider, turns: turns,
            clock: options.clock, log: log, whenCalm: whenCalm)
        providers = Providers(supervisor: supervisor, options: options, log: log)
        metrics = MetricsOutlets(supervisor, places, clock: options.clock, log: log)
        // Before anything is asked about who is there, or a client could leave unseen in between. The observer runs on
        // the bus thread, in the order of the messages, as the supervisor and the agent's link do.
        let (supervisor, errorDetails) = (supervisor, errorDetails)
        let agent = AgentLink(
            connection: connection, tokens: LaunchTokens(thread: connection.thread), child: credential,
            hasTurnUsers: turns != nil, settings: settings, log: log,
            post: { kind in supervisor.assumeIsolated { $0.post(kind) } })
        self.agent = agent
        delay =
            options.scope == .system
            ? PowerDownDelay(
                connection, log: log, longest: settings.barrier.absolute,
                post: { kind in supervisor.assumeIsolated { $0.post(kind) } })
            : nil
        let traffic = Traffic(connection: connection, supervisor: supervisor)
        _ = try await connection.observeNames { change in
            guard change.name.isUnique, change.newOwner == nil else { return }
            supervisor.assumeIsolated { $0.post(.disconnected(change.name.rawValue)) }
            agent.assumeIsolated { $0.left(change.name) }
            traffic.assumeIsolated { $0.left(change.name) }
            errorDetails.left(change.name)
        }
        await connection.observeCalls { sender, news in
            // What the agent asks is what others, and web pages, make it ask.
            guard !agent.assumeIsolated({ $0.isAgent(sender) }) else { return }
            traffic.assumeIsolated { $0.note(news, of: sender) }
        }
    }

    /// Serves the objects, starts the machine and owns the name.
    func begin() async throws {
        let identity = agentIdentity
        let turns = await supervisor.turns?.users.map(\.uid)
        let context = CallContext(
            supervisor: supervisor, connection: connection, agent: agent, tokens: agent.tokens,
            facts: DeviceFacts(
                version: Version.current, hostname: DeviceFacts.currentHostname(), bootID: bootID,
                started: options.clock.now().wall, bus: options.scope == .system ? .system : .session,
                owner: Self.owner(options)),
            administrators: administrators, polkit: polkit,
            usersOfTerminal: Set([identity.user].compactMap(\.self) + (turns ?? [])),
            log: log, errorDetails: errorDetails,
            reload: { by in try await withTaskExecutorPreference(options.executor) { try await reload(by: by) } },
            goOn: { try await goOn(knowing: $0) })
        var object = ServedObject()
        DeviceAdapter(context: context).serve(on: &object)
        ParticipantsAdapter(context: context).serve(on: &object)
        TokensAdapter(context: context).serve(on: &object)
        AdministrationAdapter(context: context, resetJournal: resetJournal).serve(on: &object)
        AgentAdapter(context: context, identity: identity).serve(on: &object)
        try await connection.serve(object, at: Device1.path)
        var logObject = ServedObject()
        LogControlAdapter(context: context, control: logControl).serve(on: &logObject)
        try await connection.serve(logObject, at: LogControl1.path)
        adopt(administrators.current)
        try await ownName()
    }

    func adopt(_ access: Access) {
        let (supervisor, options, thread) = (supervisor, options, connection.thread)
        administrators.replace(
            access,
            again: { await Administrators.look(await supervisor.settings, owner: Self.owner(options), on: thread) },
            on: thread)
    }

    static let directoryHangs =
        "Looking up the administrators timed out. Check the directory of users of this machine."

    /// On a session bus the user whose session it is.
    static func owner(_ options: DaemonOptions) -> UInt32? {
        options.scope == .system ? nil : SystemAccounts.own
    }

    private var agentIdentity: AgentIdentity {
        let user = settings.agent.user.map { SystemAccounts.user($0) } ?? SystemAccounts.own
        if options.scope == .system, user == nil {
            log.error("\(SettingsKey.agentUser): this machine has no such user, so no agent can register")
        }
        let isSystem = options.scope == .system
        return AgentIdentity(
            user: user, unit: isSystem ? "baton-agent.service" : nil,
            credential: !isSystem && settings.agent.start ? credential : nil)
    }

    /// An empty one counts as another boot each time.
    private var bootID: String { options.bootID ?? BootID.current }

    /// Who of the journal's registrations is still there: the same connection, user and process.
    func surroundings() async -> StartFindings {
        let busID = (try? await connection.busID()) ?? ""
        var alive: Set<Sender> = []
        let ledger = await supervisor.machine.ledger
        if ledger.device.busID == busID {
            for registration in ledger.registrations.values where registration.connected {
                guard let name = BusName(registration.sender),
                    let credentials = try? await connection.credentials(of: name),
                    credentials.uid == registration.app.uid,
                    credentials.pid ?? 0 == registration.pid
                else { continue }
                alive.insert(registration.sender)
            }
        }
        let mark = supervisor.marker.meaning
        return StartFindings(
            busID: busID, bootID: bootID, alive: alive, marked: mark == .failed,
            signOutAsked: mark == .asked)
    }

    /// Runs until graceful shutdown, or until the bus or the name is lost.
    func run() async throws {
        // Its countdown is a signal, which no client hears before the name is owned.
        await supervisor.setShiftAlarm(atStart: true)
        await metrics.watch(supervisor)
        metrics.adopt(settings.metrics)
        let outcome = await withTaskGroup(of: DaemonFault?.self) { group in
            if settings.agent.start, let executable = options.agent ?? AgentChild.standardExecutable() {
                let bus = options.bus
                group.addTask {
                    await AgentChild(
                        executable: executable, bus: bus, credential: credential, thread: connection.thread, log: log
                    ).run()
                    return nil
                }
            }
            if let interval = Watchdog.interval(options.environment) {
                group.addTask {
                    await liveSigns(every: interval)
                    return nil
                }
            }
            if let delay {
                group.addTask {
                    await delay.run()
                    return nil
                }
            }
            group.addTask {
                do {
                    try await connection.waitUntilClosed()
                    return nil
                } catch {
                    return .unavailable("the bus is gone: \(error)")
                }
            }
            group.addTask {
                try? await gracefulShutdown()
                return nil
            }
            group.addTask {
                // What is wrong with the settings is in the log by then.
                for await _ in options.reloads { _ = try? await reload(by: ["uid": "", "user": "SIGHUP"]) }
                try? await gracefulShutdown()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        ReadyNotice(socketPath: options.environment["NOTIFY_SOCKET"]).send("STOPPING=1")
        await supervisor.endSignIns()
        await supervisor.drain()
        await providers.stop()
        await metrics.stop()
        await connection.close()
        await supervisor.journal.close()
        if let outcome { throw outcome }
        log.tell(.stopped, .info, "stopped")
    }

    /// Tells systemd again and again that batond lives, until cancelled: that its one thread comes round to it, and the supervisor
    /// with it. A disk that hangs is no reason for a restart, which would hang at the same place.
    private func liveSigns(every interval: Duration) async {
        let notice = ReadyNotice(socketPath: options.environment["NOTIFY_SOCKET"])
        while (try? await connection.thread.sleep(for: interval)) != nil {
            _ = await supervisor.machine.phase
            notice.send("WATCHDOG=1")
        }
    }
}
