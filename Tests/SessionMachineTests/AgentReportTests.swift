import SessionMachine
import Testing
import Vocabulary

struct AgentReportTests {
    @Test func `an agent is asked to hold on to all who take part before it is asked for anything else`() {
        let session = Session(agent: false)
        let app = session.register(Session.till, ":1.5", pid: 7)
        #expect(session.requests.isEmpty)
        session.agentArrives()
        let plan = WatchPlan(instance: app?.instance ?? 0, app: Session.till, sender: ":1.5", pid: 7)
        #expect(session.requests == [.prepare([plan])])
        #expect(!session.machine.isAgentPresent)
        // Who comes meanwhile is not in that list.
        let late = session.register(Session.notes, ":1.6", pid: 8)
        let latePlan = WatchPlan(instance: late?.instance ?? 0, app: Session.notes, sender: ":1.6", pid: 8)
        #expect(session.requests == [.watch(latePlan, again: false)])
        session.feed(.agentRegistered(session.agents))
        #expect(session.machine.isAgentPresent)
    }

    @Test func `a process that the agent did not answer about is asked for again while it is registered`() {
        let session = Session()
        let app = session.register(Session.till, ":1.5", pid: 7)
        let plan = WatchPlan(instance: app?.instance ?? 0, app: Session.till, sender: ":1.5", pid: 7)
        session.agentSays(.watch(plan, .unanswered))
        #expect(session.requests == [.watch(plan, again: true)])
        session.agentSays(.watch(plan, .refused))
        #expect(session.requests.isEmpty)
        session.feed(.disconnected(":1.5"))
        session.agentSays(.watch(plan, .unanswered))
        #expect(session.requests.isEmpty)
    }

    @Test func `what a process that ended has left running is contained with its app, in that turn only`() {
        let session = Session()
        session.signIn()
        let first = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        session.agentSays(
            .watch(WatchPlan(instance: first, app: Session.till, sender: ":1.5", pid: 7), .held))
        session.agentSays(.exited(first))
        session.feed(.disconnected(":1.5"))
        let second = session.register(Session.till, ":1.6", pid: 8)?.instance ?? 0
        session.signOut()
        session.acknowledge(1, second, ":1.6", .failed)
        #expect(session.contained(Session.till) == [second, first])
        #expect(session.plan(Session.till)?.connections == [":1.6"])
        // It was looked for in vain and is asked for once more, until it is found to be gone.
        session.agentSays(
            .contained(Session.till, Containment(epoch: 1, outcome: .failed, instances: [second, first])))
        session.finish()
        #expect(session.machine.phase == .quarantined)
        session.pass(milliseconds: 5000)
        session.signOut()
        #expect(session.contained(Session.till)?.contains(first) == true)
        session.agentSays(
            .contained(Session.till, Containment(epoch: 1, outcome: .contained, instances: [second, first])))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .ready)

        session.signIn(Session.ben)
        let third = session.register(Session.till, ":1.7", pid: 9, clearedThrough: 1)?.instance ?? 0
        session.signOut()
        session.acknowledge(2, third, ":1.7", .failed)
        #expect(session.contained(Session.till) == [third])
    }

    @Test func `a connection that registers anew is not taken for one that has ended`() {
        let session = Session()
        session.signIn()
        let first = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        let second = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        // Answered only now: the process is the same, and what it says in time is all that is wanted of it.
        session.agentSays(
            .watch(WatchPlan(instance: first, app: Session.till, sender: ":1.5", pid: 7), .held))
        session.signOut()
        session.acknowledge(1, second, ":1.5", .failed)
        #expect(session.contained(Session.till) == [second])
    }

    @Test func `an agent that has left is not heard, and the next one is asked for the same`() {
        let session = Session()
        session.signIn()
        let app = session.register(Session.notes, ":1.5")?.instance ?? 0
        session.signOut()
        session.acknowledge(1, app, ":1.5", .failed)
        #expect(session.contained(Session.notes) == [app])
        let old = session.agents
        session.agentLeaves()
        session.agentComes()
        #expect(session.contained(Session.notes) == [app] && session.asks(.browserSignedOut(1)))
        for report: AgentReport in [
            .contained(Session.notes, Containment(epoch: 1, outcome: .stopped, instances: [app])),
            .browserSignedOut(1, .clean, ""), .sharedHoldersCleared(1, []), .startPage(isShown: true),
            .idle(1, since: 1),
        ] {
            session.feed(.agentReported(old, report))
            #expect(session.remarks.last == .outOfPlace(.agentReport))
        }
        #expect(session.state(Session.notes) == .containing && session.barrier?.browser == nil)
        // That a process has ended is true whoever says it, but only its own agent knows what it has left running.
        session.feed(.disconnected(":1.5"))
        session.feed(.agentReported(old, .exited(app)))
        #expect(session.machine.ledger.registrations[app] == nil)
        #expect(session.machine.endedInstances.isEmpty)
    }

    @Test func `an agent that has not come cannot register, and one that left before does not take the next one along`()
    {
        let session = Session(agent: false)
        session.feed(.agentRegistered(1))
        #expect(!session.machine.isAgentPresent)
        session.agentComes()
        let old = session.agents
        // The news of the end may come after that of the next one.
        session.agentComes()
        session.feed(.agentLost(old))
        #expect(session.machine.isAgentPresent)
        session.agentLeaves()
        #expect(!session.machine.isAgentPresent)
    }

    @Test func `a process id proves nothing of an app that the agent starts, unless the settings take it`() {
        for needsStrongProof in [true, false] {
            let session = Session { $0.apps = ["till": AppData(wipe: ["/till"], needsStrongProof: needsStrongProof)] }
            session.signIn()
            let app = session.register(Session.till, ":1.5")?.instance ?? 0
            session.signOut()
            session.acknowledge(1, app, ":1.5", .failed)
            session.agentSays(
                .contained(
                    Session.till, Containment(epoch: 1, outcome: .contained, instances: [app], proof: .pid)))
            #expect(session.state(Session.till) == (needsStrongProof ? .unproven : .contained))
        }
    }

    @Test func `what nobody waits for any more is taken back before the device is free`() {
        let session = Session()
        session.signIn()
        let app = session.register(Session.till, ":1.5")?.instance ?? 0
        session.signOut()
        session.acknowledge(1, app, ":1.5", .failed)
        session.pass(milliseconds: 10_000)
        #expect(session.machine.phase == .quarantined)
        #expect(session.asked.last == .withdraw(nil) || session.asked.contains(.withdraw(Session.till)))
    }

    @Test func `a containment that is late, or was asked for twice, is taken back for that app alone`() {
        let session = Session()
        session.signIn()
        let app = session.register(Session.till, ":1.5")?.instance ?? 0
        let other = session.register(Session.notes, ":1.6", pid: 11)?.instance ?? 0
        session.signOut()
        session.acknowledge(1, app, ":1.5", .failed)
        session.acknowledge(1, other, ":1.6", .failed)
        // The agent registers once more: what it was asked is asked again, and not twice.
        let before = session.asked.count
        session.feed(.agentArrived(session.agents))
        session.feed(.agentRegistered(session.agents))
        #expect(session.asked.dropFirst(before).contains(.withdraw(nil)))
        #expect(
            session.asked.last { $0 == .withdraw(nil) || $0.awaited == .contained(Session.till, [app]) }
                != .withdraw(nil))
        // One of them answers; the other's time passes.
        session.agentSays(
            .contained(Session.notes, Containment(epoch: 1, outcome: .stopped, instances: [other])))
        #expect(!session.asked.contains(.withdraw(Session.notes)))
        session.pass(milliseconds: 8100)
        #expect(session.state(Session.till) == .unproven)
        #expect(session.asked.contains(.withdraw(Session.till)))
    }

    @Test func `what ended before batond's restart is told by the agent and contained all the same`() {
        let session = Session()
        session.signIn()
        let first = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        let second = session.register(Session.till, ":1.6", pid: 8)?.instance ?? 0
        session.restart(alive: [":1.6"])
        session.agentArrives()
        session.agentSays(.exited(first))
        session.feed(.agentRegistered(session.agents))
        #expect(session.begins(1))
        session.signOut()
        session.acknowledge(1, second, ":1.6", .failed)
        #expect(session.contained(Session.till) == [second, first])
    }

    @Test func `a plan says what the settings say, and when the turn began`() {
        let session = Session { $0.apps = ["till": AppData(wipe: ["/till"], keep: ["/till/cards"])] }
        session.signIn()
        let began = TurnBegin(wall: session.wall, boottime: session.now)
        guard case .beginTurn(let turn)? = session.requests.first else {
            Issue.record("no turn began")
            return
        }
        #expect(turn.began == began && turn.epoch == 1)
        let listed = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        let unlisted = session.register(Session.notes, ":1.6", pid: 8)?.instance ?? 0
        session.pass(milliseconds: 1000)
        session.signOut()
        session.acknowledge(1, unlisted, ":1.6", .failed)
        #expect(session.plan(Session.notes)?.isListed == false && session.plan(Session.notes)?.data == AppData())
        session.acknowledge(1, listed, ":1.5", .failed)
        let plan = session.plan(Session.till)
        #expect(plan?.isListed == true && plan?.data.wipe == ["/till"] && plan?.data.keep == ["/till/cards"])
        #expect(plan?.limit == session.machine.policy.containment)
        session.agentSays(.contained(Session.notes, Containment(epoch: 1, outcome: .stopped, instances: [unlisted])))
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .failed, instances: [listed])))
        guard case .clearSharedHolders(let shared)? = session.requests.first else {
            Issue.record("nothing shared is cleared")
            return
        }
        #expect(shared.began == began && shared.listed == [listed])
    }

    @Test func `a plan says which connections wait for the sign-out, and none that have their answer`() {
        func waiting(_ session: Session) -> [Sender]? {
            for case .clearSharedHolders(let plan) in session.asked.reversed() { return plan.waiting }
            return nil
        }
        let session = Session()
        session.signIn()
        let app = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        session.call { .signOut($0, epoch: nil, .user, from: ":1.9") }
        session.call { .signOut($0, epoch: nil, .user, from: ":1.8") }
        session.call { .signOut($0, epoch: nil, .user, from: ":1.9") }
        session.call { .signOut($0, epoch: nil, .provider) }
        session.acknowledge(1, app, ":1.5")
        #expect(waiting(session) == [":1.8", ":1.9"])
        session.finish()
        session.signIn()
        session.call { .setMode($0, .personal, from: ":1.7") }
        session.acknowledge(2, app, ":1.5")
        #expect(waiting(session) == [":1.7"])
    }
}
