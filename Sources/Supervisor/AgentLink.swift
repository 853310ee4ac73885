package import BatonContract
package import DBus
import Log
package import Logging
package import SessionMachine
package import Settings
package import Vocabulary

/// The way to the one agent of this device: sends what is asked of it, and posts what it says.
package actor AgentLink {
    /// The agent on the bus.
    struct Present: Sendable {
        let name: BusName
        let number: AgentNumber
        /// Whom it runs as.
        let user: UInt32
        /// The registrations that it held on to when it came.
        let held: [Instance]
    }

    let connection: Connection
    let log: Logger
    package nonisolated let tokens: LaunchTokens
    /// Of an agent that batond itself has started; nil: it starts none.
    let child: AgentCredential?
    /// Into the supervisor's mailbox; to be called on the bus thread.
    let post: @Sendable (Event.Kind) -> Void
    /// As the agent has them or is about to have them.
    private(set) var settings: Settings
    /// Browsers run as the users of turns.
    private let hasTurnUsers: Bool
    private(set) var present: Present?
    private var lastNumber: AgentNumber = 0
    /// What the agent found on this machine; nil while there is none, or while it sweeps what an earlier one left.
    package private(set) var state: AgentState?
    private var warned: Set<String> = []
    /// A bus lets a connection wait for 128 answers, and the agent works on a limited number of calls. Containments take
    /// their time, so no registration waits behind them.
    private let containments = ConcurrencyLimit(64)
    private let watches = ConcurrencyLimit(32)
    /// Containments that wait for their place and are still wanted. Which are not is the machine's to say (`withdraw`).
    private var waiting: [UInt64: AppKey] = [:]
    private var lastWaiting: UInt64 = 0
    /// An answer to `Register` waits for these, whatever they come to.
    private var firstTries: [Instance: Task<Void, Never>] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }

    package init(
        connection: Connection, tokens: LaunchTokens, child: AgentCredential? = nil, hasTurnUsers: Bool = false,
        settings: Settings, log: Logger, post: @escaping @Sendable (Event.Kind) -> Void
    ) {
        self.connection = connection
        self.tokens = tokens
        self.child = child
        self.hasTurnUsers = hasTurnUsers
        self.settings = settings
        self.log = log
        self.post = post
    }

    /// The agent on the bus; nil while there is none.
    package var name: BusName? { present?.name }

    package func isAgent(_ sender: BusName) -> Bool { present?.name == sender }

    /// Nil: this is not the agent.
    package func number(of sender: BusName) -> AgentNumber? { present.flatMap { $0.name == sender ? $0.number : nil } }

    func isPresent(_ agent: Present) -> Bool { present?.number == agent.number }

    /// A second agent is refused while the first is on the bus.
    ///
    /// - Parameter instances: The registrations whose processes it has hold of.
    package func register(_ sender: BusName, user: UInt32, holding instances: [Instance]) throws {
        guard present == nil || present?.name == sender else {
            throw BatonError(.notAuthorized, "Another agent is already registered.")
        }
        if present == nil { lastNumber = lastNumber.next }
        present = Present(name: sender, number: lastNumber, user: user, held: instances)
        post(.agentArrived(lastNumber))
    }

    package func left(_ name: BusName) {
        guard present?.name == name else { return }
        log.tell(.agentAway, .error, "the agent has left the bus")
        forget()
    }

    /// It is gone, or the state that it registered for is no more: then it registers again when it sees the name's new owner.
    package func forget() {
        // What an agent of that state has started proves nothing any more.
        Task(executorPreference: connection.thread.tasks) { [tokens] in await tokens.forget() }
        state = nil
        guard let agent = present else { return }
        present = nil
        post(.agentLost(agent.number))
    }

    /// Performs an order; what comes of it is posted. To be called on the bus thread.
    package nonisolated func perform(_ order: AgentOrder) { assumeIsolated { $0.begin(order) } }

    private func begin(_ order: AgentOrder) {
        if case .withdraw(let app) = order.request {
            if let app { waiting = waiting.filter { $0.value != app } } else { waiting = [:] }
            return
        }
        guard let agent = present, agent.number == order.agent else {
            Task(executorPreference: connection.thread.tasks) { await order.logOutEnded(false) }
            return
        }
        // Noted here: it may be withdrawn before its task begins.
        lastWaiting &+= 1
        let number = lastWaiting
        if case .contain(let plan) = order.request { waiting[number] = plan.app }
        let task = Task(executorPreference: connection.thread.tasks) { await self.perform(order, number, agent) }
        if case .watch(let plan, again: false) = order.request { firstTries[plan.instance] = task }
    }

    // MARK: Settings

    /// Takes the settings that hold from now on, and tells them to an agent that is there.
    package func adopt(_ settings: Settings) async {
        self.settings = settings
        if let present { _ = await configure(present) }
    }

    /// Tells the agent the settings before anything is asked of it; false when it has left meanwhile.
    ///
    /// An agent that does not answer that is no agent to rely on, so nothing else is asked until it does.
    func isConfigured(_ agent: Present) async -> Bool {
        while isPresent(agent) {
            if await configure(agent) { return isPresent(agent) }
            try? await connection.thread.sleep(for: .seconds(1))
        }
        return false
    }

    /// Whether the agent took the settings.
    private func configure(_ agent: Present) async -> Bool {
        do {
            let state = try await connection.call(
                Agent1.configure, AgentConfiguration(settings, hasTurnUsers: hasTurnUsers), to: agent.name,
                at: Agent1.path,
                timeout: Self.configuring)
            guard isPresent(agent) else { return false }
            take(state)
            return true
        } catch let error as DBusError where error.isNobody {
            // One that died while it registered: the bus's news of that came before it was known.
            left(agent.name)
            return false
        } catch {
            if isPresent(agent) {
                log.error("the agent did not take the settings", metadata: ["error": "\(error)"])
            }
            return false
        }
    }

    private func take(_ state: AgentState) {
        self.state = state
        // Bounded: it says so as often as it likes.
        for warning in state.warnings where warned.count < 128 && warned.insert(warning).inserted {
            log.warning("the agent cannot check everything here", metadata: ["warning": "\(warning)"])
        }
    }

    /// The agent says that what it answered to its settings is not so any more.
    package func hasChanged(_ state: AgentState, sender: BusName) {
        // Before that answer there is nothing that could have changed.
        if isAgent(sender), self.state != nil { take(state) }
    }

    /// It sweeps what an earlier one left before it answers.
    private static let configuring: Duration = .seconds(20)

    // MARK: Calls and answers

    /// Whether a containment that waited is still wanted; it waits no longer.
    func takeWaiting(_ number: UInt64) -> Bool { waiting.removeValue(forKey: number) != nil }

    /// Waits for a place: not more are asked for at a time than bus and agent take.
    func inPlace<Output>(_ ask: () async -> Output) async -> Output {
        await containments.take()
        defer { containments.giveBack() }
        return await ask()
    }

    func inWatchPlace(_ ask: () async -> Void) async {
        await watches.take()
        defer { watches.giveBack() }
        await ask()
    }

    /// Returns when the agent has been asked to hold on to the process of a registration that has just been made, and has
    /// answered or failed to.
    package func triedToWatch(_ instance: Instance) async { await firstTries[instance]?.value }

    func endFirstTry(of instance: Instance) { firstTries[instance] = nil }

    /// What a call came to.
    enum Reply<Output: Sendable>: Sendable {
        case answer(Output)
        /// It answered, and this version does not understand it.
        case unreadable
        /// It failed, or the agent is gone, which is no answer at all: the next agent is asked again, and the deadlines hold
        /// meanwhile.
        case none

        var answer: Output? { if case .answer(let output) = self { output } else { nil } }

        /// What a receipt says where there is no answer.
        var explanation: String {
            if case .unreadable = self { "the agent's answer cannot be read" } else { "the agent did not answer" }
        }
    }

    func call<Input, Output>(_ method: Method<Input, Output>, _ input: Input, _ agent: Present) async -> Reply<Output> {
        do {
            return .answer(
                try await connection.call(
                    method, input, to: agent.name, at: Agent1.path, timeout: settings.barrier.absolute))
        } catch DBusError.invalidValue(let why) {
            log.error("the agent's answer cannot be read", metadata: ["error": "\(why)"])
            return .unreadable
        } catch let error as DBusError where error == .disconnected {
            if isPresent(agent) { present = nil }
        } catch let error as DBusError where error.isNobody {
            // The bus says so of one that has left; the news that it has may come later.
            left(agent.name)
        } catch {
            log.error("the agent failed", metadata: ["error": "\(error)"])
        }
        return .none
    }

    /// What an agent that has left did not answer is no report: the next one is asked again.
    func report(_ report: AgentReport, by agent: Present) async {
        guard isPresent(agent), (try? await connection.hasOwner(agent.name)) != false, isPresent(agent) else { return }
        post(.agentReported(agent.number, report))
    }
}

extension DBusError {
    /// The bus says that the one who was called has left.
    fileprivate var isNobody: Bool { [.noReply, .serviceUnknown, .nameHasNoOwner].contains(name) }
}
