import MachineTesting
import SessionMachine
import Testing
import Vocabulary

/// A machine with a clock that only moves when told, and the latest effects in reach.
final class Session {
    var machine: Machine
    /// What the journal would hold: fed by the records alone.
    var journal: Ledger
    var now: UInt64 = 1_000_000_000
    var wall: Int64 = 1_700_000_000_000_000
    private(set) var effects: [Effect] = []
    private(set) var remarks: [Effect.Remark] = []
    /// All that an agent was ever asked for.
    private(set) var asked: [Effect.Request] = []
    private(set) var records: [Record] = []
    private var calls: Call = 0
    private var answers: [Call: Answer] = [:]
    private(set) var agents: AgentNumber = 0

    static let till = AppKey(uid: 1000, id: "till")
    static let notes = AppKey(uid: 1000, id: "notes")
    static let ana = TurnAccount(id: "ana")
    static let ben = TurnAccount(id: "ben")

    /// `till` is listed, `notes` is not.
    init(epoch: Epoch = 0, agent: Bool = true, _ change: (inout Policy) -> Void = { _ in }) {
        var policy = Policy.ordinary
        policy.apps = ["till": AppData(wipe: ["/till"])]
        change(&policy)
        journal = Ledger(epoch: epoch)
        machine = Machine(ledger: journal, policy: policy)
        feed(.started(StartFindings(busID: "bus", bootID: "boot", alive: [])))
        if agent { agentComes() }
    }

    var moment: Moment { Moment(monotonic: now, boottime: now, wall: wall) }
    var barrier: Barrier? { machine.ledger.barrier }
    func state(_ app: AppKey) -> RosterEntry.State? { machine.ledger.roster[app]?.state }
    func owed(_ app: AppKey) -> Epoch? { machine.ledger.apps[app]?.owed }

    func feed(_ kind: Event.Kind) {
        effects = machine.handle(Event(kind, at: moment))
        records = []
        for (index, effect) in effects.enumerated() {
            switch effect {
            case .journal(let written):
                #expect(index == 0, "the journal comes first")
                records = written
                for record in written { journal.apply(record) }
            case .reply(let call, let answer): answers[call] = answer
            case .log(let remark): remarks.append(remark)
            case .agent(let request, of: _): asked.append(request)
            default: break
            }
        }
        #expect(journal == machine.ledger)
    }

    /// Lets time pass as far as that, ringing each alarm on the way.
    func pass(milliseconds: UInt64) {
        let end = now + milliseconds * 1000
        while let delay = machine.nextAlarm(at: moment), now + delay <= end {
            step(delay)
            feed(.tick)
            if delay == 0 { break }
        }
        step(end - now)
        feed(.tick)
    }

    func step(_ microseconds: UInt64) {
        now += microseconds
        wall += Int64(microseconds)
    }

    /// Makes a call and gives its answer; nil while it waits.
    @discardableResult
    func call(_ event: (Call) -> Event.Kind) -> Answer? {
        calls = calls.next
        feed(event(calls))
        return answers[calls]
    }

    /// The answer to the call before `back` others.
    func answer(back: Int = 0) -> Answer? { answers[(0..<back).reduce(calls) { call, _ in call.previous }] }

    // MARK: What happens often

    @discardableResult
    func signIn(_ holder: TurnAccount = ana) -> Answer? {
        call { .signIn($0, ":1.0") }
        if let attempt = signInPlan?.attempt { feed(.signInSucceeded(attempt, holder)) }
        return answer()
    }

    /// What the latest event has the provider do.
    var signInPlan: SignInPlan? {
        for case .authenticate(let plan) in effects { return plan }
        return nil
    }

    @discardableResult
    func register(
        _ app: AppKey, _ sender: Sender, pid: Int32 = 10, clearedThrough: Epoch = 0, proven: Bool = false
    ) -> Answer.Registered? {
        let request = Registering(
            sender: sender, app: app, pid: pid, proven: proven, clearedThrough: clearedThrough)
        guard case .registered(let answer) = call({ .register($0, request) }) else { return nil }
        return answer
    }

    @discardableResult
    func acknowledge(
        _ epoch: Epoch, _ instance: Instance?, _ sender: Sender, _ outcome: AcknowledgementOutcome = .cleared
    ) -> Answer? {
        let word = Acknowledging(sender: sender, epoch: epoch, instance: instance ?? 0, outcome: outcome)
        return call { .acknowledge($0, word) }
    }

    /// The settings are read anew.
    func change(_ change: (inout Policy) -> Void) {
        var policy = machine.policy
        change(&policy)
        feed(.policyChanged(policy))
    }

    @discardableResult
    func signOut(_ reason: SignOutReason = .user) -> Answer? { call { .signOut($0, epoch: nil, reason) } }

    /// Another agent comes, and is prepared.
    func agentComes() {
        agentArrives()
        feed(.agentRegistered(agents))
    }

    func agentArrives() {
        agents = agents.next
        feed(.agentArrived(agents))
    }

    func agentLeaves() { feed(.agentLost(agents)) }

    /// The one that came last.
    func agentSays(_ report: AgentReport) { feed(.agentReported(agents, report)) }

    /// The agent does what is left: the browser and the shared holders.
    func finish() {
        let epoch = machine.epoch
        agentSays(.browserSignedOut(epoch, .clean, ""))
        agentSays(.sharedHoldersCleared(epoch, []))
    }

    /// The supervisor is killed and started again.
    ///
    /// - Parameter sealed: Why the journal cannot be read; nil: it can.
    func restart(
        alive: Set<Sender> = [], bus: String = "bus", boot: String = "boot", marked: Bool = false,
        signOutAsked: Bool = false, sealed: String? = nil
    ) {
        if sealed != nil { journal = Ledger(epoch: journal.device.epoch) }
        machine = Machine(ledger: journal, policy: machine.policy, sealed: sealed.map { .unreadableJournal($0) })
        feed(
            .started(
                StartFindings(busID: bus, bootID: boot, alive: alive, marked: marked, signOutAsked: signOutAsked)))
    }

    /// What the agent was asked for by the latest event.
    var requests: [Effect.Request] {
        effects.compactMap { if case .agent(let request, of: agents) = $0 { request } else { nil } }
    }

    func asks(_ awaited: Effect.Request.Awaited) -> Bool { requests.contains { $0.awaited == awaited } }

    /// The agent was told by the latest event that this turn has begun.
    func begins(_ epoch: Epoch) -> Bool {
        requests.contains { if case .beginTurn(let plan) = $0 { plan.epoch == epoch } else { false } }
    }

    /// The plan by which the agent was asked by the latest event to contain an app.
    func plan(_ app: AppKey) -> ContainmentPlan? {
        for case .contain(let plan) in requests where plan.app == app { return plan }
        return nil
    }

    /// The instances that it was asked to stop.
    func contained(_ app: AppKey) -> [Instance]? { plan(app)?.instances }
}

extension Answer {
    var receipt: ReceiptRecord? {
        if case .signedOut(_, let receipt) = self { receipt } else { nil }
    }

    var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
