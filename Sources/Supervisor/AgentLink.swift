internal import BatonContract
internal import DBus
internal import Logging
internal import Supervision
internal import Vocabulary

/// The one agent of this device: who it is, and what is asked of it.
actor AgentLink {
    let connection: Connection
    let log: Logger
    let tokens: LaunchTokens
    /// Of an agent that batond itself has started; nil: it starts none.
    let child: AgentCredential?
    private(set) var supervisor: Supervisor?
    private(set) var agent: BusName? {
        didSet { if agent != oldValue { isAnnounced = false } }
    }
    /// Whom it runs as, and which registrations it held on to when it came.
    private var holds: (user: UInt32, instances: [Instance]) = (0, [])
    /// The machine was told of this agent; it may hear of that only when what is being written is written.
    private var isAnnounced = false
    /// What the agent found on this machine; nil while there is none, or while it sweeps what an earlier one left.
    private(set) var state: AgentState?
    private var warned: Set<String> = []
    /// The newest epoch whose end was asked for: its turn must not begin after that.
    private var ending: Epoch = 0
    /// Which app a registration is that the agent holds on to, and those whose process it saw end: they have left the machine's
    /// books, and what their processes left running is contained with the app all the same.
    var watched: [Instance: AppKey] = [:]
    var ended: [AppKey: [Instance]] = [:]
    /// A bus lets a connection wait for 128 answers, and the agent works on a limited number of calls. Containments take
    /// their time, so nobody's registration waits behind them.
    private var containments = Places(64)
    var watches = Places(32)
    private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter: UInt64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }

    init(connection: Connection, tokens: LaunchTokens, child: AgentCredential? = nil, log: Logger) {
        self.connection = connection
        self.tokens = tokens
        self.child = child
        self.log = log
    }

    func attach(_ supervisor: Supervisor) { self.supervisor = supervisor }

    /// The agent on the bus; nil while there is none.
    var name: BusName? { agent }

    func isAgent(_ sender: BusName) -> Bool { agent == sender }

    /// A second agent is refused while the first is on the bus.
    ///
    /// - Parameter instances: The registrations whose processes it has hold of.
    func register(_ sender: BusName, user: UInt32, holding instances: [Instance]) throws {
        guard agent == nil || agent == sender else {
            throw BatonError(.notAuthorized, "There is an agent already.")
        }
        agent = sender
        holds = (user, instances)
    }

    /// The same, once the caller has gone on.
    func presentLater() { Task(executorPreference: connection.thread.tasks) { await self.present() } }

    /// The agent is ready to be asked.
    func present() async {
        guard let supervisor, let present = agent, await isConfigured(present) else { return }
        // Another agent holds on to nothing yet.
        (watched, ended) = ([:], [:])
        // Before anything is asked of it: what an agent does not watch it cannot contain.
        let registrations = await supervisor.machine.ledger.registrations
        // Tasks of this actor and no group of them, whose tasks would begin in the pool of threads.
        let watches = registrations.compactMap { (instance, registration) in
            BusName(registration.sender).map { name in
                Task(executorPreference: connection.thread.tasks) {
                    await self.watch(instance, of: registration.app, name, registration.pid)
                }
            }
        }
        for watch in watches { await watch.value }
        guard agent == present else { return }
        log.tell(.agentRegistered, .info, "the agent has registered", ["sender": "\(present.rawValue)"])
        announce(to: supervisor)
    }

    /// In one go: who asks whether to wait finds either nobody announced and is woken here, or has nothing to wait for.
    private func announce(to supervisor: Supervisor) {
        let holds = holds
        supervisor.assumeIsolated {
            $0.post(.agentHolds(holds.instances, uid: holds.user))
            $0.post(.agentRegistered)
        }
        isAnnounced = true
        for waiter in waiters.values { waiter.resume() }
        waiters = [:]
    }

    func left(_ name: BusName) {
        guard agent == name, let supervisor else { return }
        agent = nil
        state = nil
        log.tell(.agentAway, .error, "the agent has left the bus")
        Task(executorPreference: connection.thread.tasks) { [tokens] in await tokens.forget() }
        supervisor.assumeIsolated { $0.post(.agentLost) }
    }

    /// The state it registered for is no more: it registers again when it sees the name's new owner.
    func forget() {
        agent = nil
        state = nil
        supervisor?.assumeIsolated { $0.post(.agentLost) }
        // What an agent of that state has started proves nothing any more.
        Task(executorPreference: connection.thread.tasks) { [tokens] in await tokens.forget() }
    }

    /// Tells the agent the settings before anything is asked of it; false when it has left meanwhile.
    ///
    /// An agent that does not answer that is no agent to rely on, so nothing else is asked until it does.
    private func isConfigured(_ present: BusName) async -> Bool {
        while agent == present {
            if await configure() { return agent == present }
            try? await connection.thread.sleep(for: .seconds(1))
        }
        return false
    }

    /// Tells the agent the settings, at first and whenever they have changed; whether it took them.
    @discardableResult
    func configure() async -> Bool {
        guard let supervisor, let present = agent else { return false }
        let settings = await supervisor.settings
        do {
            let answer = try await connection.call(
                Agent1.configure, AgentConfiguration(settings).dictionary, to: present, at: Agent1.path,
                timeout: Self.configuring)
            guard agent == present else { return false }
            let state = AgentState(answer)
            self.state = state
            for warning in state.warnings where warned.insert(warning).inserted {
                log.warning("the agent cannot check everything here", metadata: ["warning": "\(warning)"])
            }
            return true
        } catch let error as DBusError where error.isNobody {
            // One that died while it registered: the bus's news of that came before it was known.
            left(present)
            return false
        } catch {
            if agent == present {
                log.error("the agent did not take the settings", metadata: ["error": "\(error)"])
            }
            return false
        }
    }

    /// It sweeps what an earlier one left before it answers.
    private static let configuring: Duration = .seconds(20)

    private var isExpected: Bool {
        !isAnnounced && supervisor?.assumeIsolated { $0.awaitsAgent } == true
    }

    /// Waits for an agent that may just be starting.
    ///
    /// Whether there is one to wait for is asked where the waiting begins, with nothing in between: nobody would wake who
    /// begins to wait after the agent came. And the machine alone does not know, while its journal takes its time.
    func waitUntilPresent(atMost limit: Duration) async {
        guard isExpected else { return }
        nextWaiter &+= 1
        let waiter = nextWaiter
        let timer = connection.thread.schedule(after: limit) {
            self.assumeIsolated { $0.waiters.removeValue(forKey: waiter)?.resume() }
        }
        await withCheckedContinuation { waiters[waiter] = $0 }
        connection.thread.cancel(timer)
    }

    /// Waits for its turn: not more are asked for at a time than bus and agent take.
    func contained(_ ask: () async -> VariantDictionary?) async -> VariantDictionary? {
        await withCheckedContinuation { containments.take($0) }
        defer { containments.giveBack() }
        return await ask()
    }

    /// Performs a request of the machine; its answer comes back as an event. To be called on the bus thread.
    nonisolated func perform(_ request: Effect.Request) {
        assumeIsolated { link in
            switch request {
            case .signOutBrowser(let epoch): link.ending = max(link.ending, epoch)
            // What ended before holds nothing of this worker.
            case .beginTurn: link.ended = [:]
            case .contain, .clearSharedHolders, .closeSignIn: break
            }
            Task(executorPreference: connection.thread.tasks) { await link.answer(request) }
        }
    }

    /// Whether the turn may still begin: nobody has asked for its end.
    func mayBegin(_ epoch: Epoch) -> Bool { epoch > ending }

    /// Nil: it failed, or the agent is gone, which is no answer at all: the next agent is asked again, and the deadlines
    /// hold meanwhile.
    func call<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, _ agent: BusName, _ settings: Settings
    ) async -> Output? {
        do {
            return try await connection.call(
                method, input, to: agent, at: Agent1.path, timeout: settings.barrier.absolute)
        } catch let error as DBusError where error == .disconnected {
            if self.agent == agent { self.agent = nil }
        } catch let error as DBusError where error.isNobody {
            // The bus says so of one that has left; the news that it has may come later.
            left(agent)
        } catch {
            log.error("the agent failed", metadata: ["error": "\(error)"])
        }
        return nil
    }

    /// What an agent that has left did not answer is no report: the next one is asked again.
    func post(_ event: Event.Kind, from agent: BusName) async {
        guard self.agent == agent, (try? await connection.hasOwner(agent)) != false, self.agent == agent else { return }
        await supervisor?.post(event)
    }
}

extension DBusError {
    /// The bus says that the one who was called has left.
    fileprivate var isNobody: Bool { [.noReply, .serviceUnknown, .nameHasNoOwner].contains(name) }
}
