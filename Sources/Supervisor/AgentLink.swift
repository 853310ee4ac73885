internal import BatonContract
internal import DBus
internal import Glibc
internal import Logging
internal import Supervision

/// The one agent of this device: who it is, and what is asked of it.
actor AgentLink {
    private let connection: Connection
    private let log: Logger
    let tokens: LaunchTokens
    private var supervisor: Supervisor?
    private var agent: BusName?
    private var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var nextWaiter: UInt64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }

    init(connection: Connection, tokens: LaunchTokens, log: Logger) {
        self.connection = connection
        self.tokens = tokens
        self.log = log
    }

    func attach(_ supervisor: Supervisor) { self.supervisor = supervisor }

    /// The agent on the bus; nil while there is none.
    var name: BusName? { agent }

    func isAgent(_ sender: BusName) -> Bool { agent == sender }

    /// A second agent is refused while the first is on the bus.
    func register(_ sender: BusName) throws {
        guard agent == nil || agent == sender else {
            throw BatonError(.notAuthorized, "There is an agent already.")
        }
        agent = sender
    }

    /// The agent is ready to be asked.
    func present() async {
        guard let supervisor, let present = agent else { return }
        // Before anything is asked of it: what an agent does not watch it cannot contain.
        let registrations = await supervisor.machine.ledger.registrations
        await withTaskGroup(of: Void.self) { group in
            for (instance, registration) in registrations {
                guard let name = BusName(registration.sender) else { continue }
                group.addTask { await self.watch(instance, name, registration.pid) }
            }
        }
        guard agent == present else { return }
        log.info("the agent has registered", metadata: ["sender": "\(present.rawValue)"])
        await supervisor.post(.agentRegistered)
        for waiter in waiters.values { waiter.resume() }
        waiters = [:]
    }

    func left(_ name: BusName) {
        guard agent == name, let supervisor else { return }
        agent = nil
        log.error("the agent has left the bus")
        Task { await tokens.forget() }
        supervisor.assumeIsolated { $0.post(.agentLost) }
    }

    /// The state it registered for is no more: it registers again when it sees the name's new owner.
    func forget() { agent = nil }

    /// Waits for an agent that may just be starting.
    func waitUntilPresent(atMost limit: Duration) async {
        guard let supervisor, await supervisor.awaitsAgent else { return }
        nextWaiter &+= 1
        let waiter = nextWaiter
        let timer = Task {
            try? await Task.sleep(for: limit)
            waiters.removeValue(forKey: waiter)?.resume()
        }
        await withCheckedContinuation { waiters[waiter] = $0 }
        timer.cancel()
    }

    /// Asks the agent to hold on to the process behind a registration.
    func watch(_ instance: Instance, _ sender: BusName, _ pid: Int32) async {
        guard let agent else { return }
        let watching = try? await connection.call(
            Agent1.watchProcess, (instance, sender.rawValue, UInt32(clamping: pid)), to: agent, at: Agent1.path,
            timeout: .seconds(5))
        guard watching != true else { return }
        // A process that is not there cannot hold anything; asking for that needs no power over it.
        if pid > 0, kill(pid, 0) == -1, errno == ESRCH { await supervisor?.post(.processExited(instance)) }
    }

    /// Performs a request of the machine; its answer comes back as an event.
    nonisolated func perform(_ request: Effect.Request) {
        Task { await answer(request) }
    }

    /// Nil: it failed, or the agent is gone, which is no answer at all: the next agent is asked again, and the deadlines
    /// hold meanwhile.
    private func call<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, _ agent: BusName, _ settings: Settings
    ) async -> Output? {
        do {
            return try await connection.call(
                method, input, to: agent, at: Agent1.path, timeout: settings.barrier.absolute)
        } catch let error as DBusError where error == .disconnected {
            if self.agent == agent { self.agent = nil }
        } catch let error as DBusError where [.noReply, .serviceUnknown, .nameHasNoOwner].contains(error.name) {
            // The bus says so of one that has left; the news that it has may come later.
            left(agent)
        } catch {
            log.error("the agent failed", metadata: ["error": "\(error)"])
        }
        return nil
    }

    private func answer(_ request: Effect.Request) async {
        guard let agent, let supervisor else { return }
        let settings = await supervisor.settings
        switch request {
        case .contain(let epoch, let app, let listed, let instances):
            let report = await contain(epoch, app, listed, instances, settings, agent)
            await post(.contained(app, report), from: agent)
        case .signOutBrowser(let epoch):
            let result = await call(Agent1.signOutBrowser, epoch, agent, settings)
            let check = Barrier.Check(rawValue: result?["outcome"]?.string ?? "") ?? .failed
            let text = result?["explanation"]?.string ?? "the agent did not answer"
            await post(.browserSignedOut(epoch, check, String(text.prefix(1024))), from: agent)
        case .clearSharedHolders(let epoch):
            let rows = await call(Agent1.clearSharedHolders, epoch, agent, settings)
            await post(.sharedHoldersCleared(epoch, Self.holders(rows)), from: agent)
        case .closeSignIn:
            let clean = await call(Agent1.closeSignIn, (), agent, settings)
            await post(.signInBrowserClosed(clean: clean ?? false), from: agent)
        }
    }

    /// What an agent that has left did not answer is no report: the next one is asked again.
    private func post(_ event: Event.Kind, from agent: BusName) async {
        guard self.agent == agent, (try? await connection.hasOwner(agent)) != false, self.agent == agent else { return }
        await supervisor?.post(event)
    }

    private static func holders(_ rows: [VariantDictionary]?) -> [Barrier.Holder] {
        guard let rows else {
            return [Barrier.Holder(name: "session", outcome: .failed, explanation: "the agent did not answer")]
        }
        return rows.prefix(64).map { row in
            Barrier.Holder(
                name: String((row["holder"]?.string ?? "").prefix(64)),
                outcome: Barrier.Check(rawValue: row["outcome"]?.string ?? "") ?? .failed,
                explanation: String((row["explanation"]?.string ?? "").prefix(1024)))
        }
    }

    private func contain(
        _ epoch: Epoch, _ app: AppKey, _ listed: Bool, _ instances: [Instance], _ settings: Settings, _ agent: BusName
    ) async -> Containment {
        let file = listed ? settings.apps.first { $0.id == app.id } : nil
        let request: VariantDictionary = [
            "uid": .uint32(app.uid), "id": .string(app.id), "listed": .boolean(listed),
            "instances": .uint64s(instances), "wipe": .strings(file?.wipe ?? []), "keep": .strings(file?.keep ?? []),
            "limit": .uint64(settings.barrier.containment.microseconds),
        ]
        let result = await call(Agent1.contain, (epoch, request), agent, settings)
        guard let result else {
            return Containment(
                epoch: epoch, outcome: .failed, instances: instances, explanation: "the agent did not answer")
        }
        return Containment(
            epoch: epoch, outcome: Containment.Outcome(rawValue: result["outcome"]?.string ?? "") ?? .failed,
            instances: instances, proof: String((result["proof"]?.string ?? "").prefix(64)),
            explanation: String((result["explanation"]?.string ?? "").prefix(1024)))
    }
}
