import MachineTesting
import SessionMachine
import Vocabulary

/// The machine with everything around it, and the truth about who holds what.
struct World: Sendable {
    var core: SeededMachine
    var journal: Ledger
    var apps: [App]
    var now: UInt64 = 1_000_000_000
    /// The agent that is on the bus, and the one that came last.
    var agent = true
    var agentNumber: AgentNumber = 1
    var jobs: [Job] = []
    /// What it is asked to hold on to, which it does at once.
    private var watches: [WatchPlan] = []
    /// What an agent that has left was asked for, and whose answer is still on its way.
    var stale: [Job] = []
    /// The turns for which the provider has been asked for its pages, and the agent that shall have them.
    var pagesAsked: [PagesAsked] = []
    /// Nil: turns have no users of their own.
    var slices: Slices?
    /// Nil: workers do not lock the screen.
    var lock: Lock?
    /// Nil: workers are never signed out by themselves, and the machine does not sleep.
    var away: Away?
    /// The page of a sign-in is on the screen.
    var pageIsOpen = false
    var faults: Int
    /// How many more times apps may be started that have been started before.
    var restarts: Int
    var crashes: Int
    let epochs: Int
    let pages: Bool
    let forgets: Bool
    let staleAnswers: Bool

    var nextSender = 1
    var nextPid: Int32 = 1
    var boot = 1
    var bus = 1
    /// When the supervisor last started or the barrier began, whichever is later: L1 counts from here.
    var base: UInt64 = 0
    /// Which records each epoch has had.
    var began: UInt8 = 0
    var cleared: UInt8 = 0
    var ended: UInt8 = 0

    /// How many outward effects are performed before the supervisor is killed; nil: it lives.
    var killAfter: Int?
    var outward = 0
    var killed = false
    var violation: String?
    /// `fingerprint()` as it was when the last thing had happened.
    var print = Fingerprint()

    var machine: Machine { core.machine }
    var moment: Moment { Moment(monotonic: now, boottime: now, wall: Int64(now)) }

    init(_ configuration: Configuration) {
        var policy = Policy.ordinary
        policy.apps = ["app0": AppData(wipe: ["/app0"])]
        if configuration.provider {
            policy.providerWait = 2_000_000
            policy.hasManagedBrowser = true
        }
        if configuration.turnUsers { policy.turnUsers = Set(Slices.users.map(\.uid)) }
        if configuration.locks {
            policy.workersHavePINs = true
            policy.comesBackByPhone = true
            (policy.lockGrace, policy.lockTries) = (Lock.grace, Lock.tries)
            lock = Lock()
        }
        if configuration.away {
            (policy.idle, policy.countdown, policy.anyInputStays) = (Away.idle, Away.countdown, true)
            policy.longestTurn = Away.longestTurn
            away = Away()
        }
        let ledger = Ledger(epoch: 0)
        core = SeededMachine(Machine(ledger: ledger, policy: policy), fault: configuration.fault)
        journal = ledger
        apps = (0..<configuration.participants).map { index in
            let isOfTurn = configuration.turnUsers && index > 0
            return App(key: AppKey(uid: isOfTurn ? Slices.users[0].uid : 1000, id: "app\(index)"), listed: index == 0)
        }
        if configuration.turnUsers { slices = Slices(lateChoices: configuration.lateChoices) }
        faults = configuration.faults
        restarts = configuration.restarts
        crashes = configuration.crashes
        epochs = configuration.epochs
        pages = configuration.pages
        forgets = configuration.forgets
        staleAnswers = configuration.staleAnswers
        feed(.started(StartFindings(busID: "bus1", bootID: "boot1", alive: [])))
        feed(.agentArrived(agentNumber))
        feed(.agentRegistered(agentNumber))
        print = fingerprint()
    }

    mutating func fail(_ text: String) { violation = violation ?? text }

    static func bit(_ epoch: Epoch) -> UInt8 { epoch < 8 ? 1 << UInt8(epoch.rawValue) : 0 }
    static func through(_ epoch: Epoch) -> UInt8 { epoch >= 7 ? .max : (2 << UInt8(epoch.rawValue)) - 1 }

    // MARK: The supervisor

    mutating func feed(_ kind: Event.Kind) {
        guard !killed else { return }
        let before = Before(self)
        let effects = core.handle(Event(kind, at: moment))
        for effect in effects where !killed {
            if case .announce(let announcement) = effect { noteCountdown(announcement) }
            perform(effect, before)
        }
        check(before, kind)
        let plans = watches
        watches = []
        for plan in plans { feed(.agentReported(agentNumber, .watch(plan, .held))) }
    }

    private mutating func spend() -> Bool {
        outward += 1
        guard let left = killAfter else { return true }
        if left == 0 {
            killed = true
            return false
        }
        killAfter = left - 1
        return true
    }

    private mutating func perform(_ effect: Effect, _ before: Before) {
        switch effect {
        case .journal(let records):
            for record in records {
                checkSlices(record)
                journal.apply(record)
                count(record, before)
            }
        case .announce(.signingOut(let epoch, _, _, _)):
            guard spend() else { return }
            for app in apps.indices {
                for index in apps[app].processes.indices
                where apps[app].processes[index].onBus && apps[app].processes[index].instance != nil
                    && apps[app].processes[index].accepted < epoch
                {
                    apps[app].processes[index].told = epoch
                }
            }
        case .reply(let call, .registered(let answer)):
            guard spend() else { return }
            registered(Int(call.rawValue), answer, before)
        case .agent(.beginTurn(let plan), of: _):
            // Nothing waits for it, so that a kill before or after it is the same.
            if machine.phase != .inUse || machine.epoch != plan.epoch {
                fail("S7: the agent was handed a turn that is none")
            }
        case .askForPages(let epoch, for: let agent): pagesAsked.append(PagesAsked(epoch: epoch, agent: agent))
        case .agent(.prepare(let plans), of: _): watches += plans
        case .agent(.watch(let plan, again: _), of: _): watches.append(plan)
        // What has not been sent yet may have been.
        case .agent(.withdraw, of: _): break
        case .agent(let request, of: let number):
            guard spend() else { return }
            checkRequest(request)
            if agent, number == agentNumber { take(request) }
        case .allowPowerDown: checkPowerDown()
        case .announce(.signedIn), .chooseTurnUser, .endTurn, .endTurns: performOnSlices(effect)
        default: break
        }
    }

    /// The agent works on the newest request for an app, which names more than an older one.
    private mutating func take(_ request: Effect.Request) {
        if case .contain(let plan) = request {
            jobs.removeAll { job in
                if case .contain(let other) = job.request { other.app == plan.app && !job.done } else { false }
            }
        }
        if !jobs.contains(where: { $0.request == request }) {
            jobs.append(Job(request: request, agent: agentNumber))
        }
    }

    /// The agent leaves the bus; what it has said may be heard later all the same.
    mutating func loseAgent() {
        agent = false
        // Its browser ends with it.
        pageIsOpen = false
        if staleAnswers { stale = Array((stale + jobs).suffix(2)) }
        jobs = []
    }

    /// The call is the number of the connection.
    private mutating func registered(_ sender: Int, _ answer: Answer.Registered, _ before: Before) {
        for app in apps.indices {
            for index in apps[app].processes.indices where apps[app].processes[index].sender == sender {
                let due = apps[app].data & Self.through(machine.ledger.barrier.map(\.epoch) ?? machine.ledger.lastEnded)
                if due != 0, Self.through(answer.clearThrough) & due != due || answer.clearThrough == 0 {
                    fail("L3: an app that holds data of an ended turn was told to clear only \(answer.clearThrough)")
                }
                if answer.clearThrough != 0, before.phase == .inUse, before.apps[apps[app].key]?.owed == nil,
                    apps[app].data & Self.bit(machine.epoch) != 0
                {
                    fail("L4: an app that owes nothing was told to clear, and loses the present worker's work")
                }
                if answer.clearThrough != 0, answer.holder != nil { fail("S1: an app that must clear got an account") }
                apps[app].processes[index].instance = answer.instance
                apps[app].processes[index].told = answer.clearThrough
                apps[app].processes[index].accepted = 0
                if answer.holder != nil { receive(app, index, answer.epoch) }
            }
        }
    }

    /// The app is handed the worker's account: from now on it holds that turn's data.
    mutating func receive(_ app: Int, _ index: Int, _ epoch: Epoch) {
        apps[app].processes[index].memory |= Self.bit(epoch)
        apps[app].atRest |= Self.bit(epoch)
    }

    mutating func restart(_ kind: Action.Crash) {
        killed = false
        killAfter = nil
        loseAgent()
        stale = []
        pagesAsked = []
        forgetSlices(isReboot: kind == .reboot)
        lock?.attempt = nil
        // logind asks a batond that comes.
        away?.isPoweringDown = false
        if kind == .reboot {
            away?.forget()
            lock?.isCovered = false
            boot += 1
        }
        if kind != .supervisor { bus += 1 }
        for app in apps.indices {
            for index in apps[app].processes.indices {
                if kind == .reboot {
                    apps[app].end(index)
                    apps[app].processes[index].exitReported = true
                }
                if kind != .supervisor {
                    apps[app].processes[index].onBus = false
                    apps[app].processes[index].instance = nil
                    apps[app].processes[index].told = 0
                    apps[app].processes[index].mail = []
                }
            }
        }
        if kind == .reboot { now = 500_000_000 }
        core = SeededMachine(Machine(ledger: journal, policy: machine.policy), fault: core.fault)
        base = now
        let alive = apps.flatMap(\.processes).filter(\.onBus).map(\.name)
        feed(.started(StartFindings(busID: "bus\(bus)", bootID: "boot\(boot)", alive: Set(alive))))
    }

    /// Forgets processes to which nothing refers any more.
    mutating func tidy() {
        let mentioned = Set(machine.ledger.registrations.values.map(\.pid))
        for app in apps.indices {
            apps[app].processes.removeAll { !$0.alive && !$0.onBus && !mentioned.contains($0.pid) }
        }
        // What the agent is still asked for when nobody waits for it any more only stops apps that nobody waits for.
        let keepsLocks = lock != nil && machine.phase == .inUse
        if machine.ledger.barrier == nil {
            jobs.removeAll { $0.request != .closeSignIn && !(keepsLocks && $0.isOfLock) }
        }
    }
}
