import SessionMachine
import Testing
import Vocabulary

struct BarrierTests {
    /// A worker holds the device and the app is registered.
    func inUse(
        _ app: AppKey = Session.till, agent: Bool = true, _ change: (inout Policy) -> Void = { _ in }
    ) throws -> (Session, Instance) {
        let session = Session(agent: agent, change)
        session.signIn()
        return (session, try #require(session.register(app, ":1.1")).instance)
    }

    @Test func `the barrier is journalled before it is announced, and announced before the caller is answered`() throws
    {
        let (session, instance) = try inUse()
        #expect(session.signOut() == nil)
        #expect(session.records.contains { if case .clearing(1, .user, _) = $0 { true } else { false } })
        let deadline = session.now + 5_000_000
        #expect(session.effects.contains(.announce(.signingOut(1, Session.ana, .user, deadline: deadline))))
        #expect(!session.machine.mayHaveToken(":1.1"))
        session.acknowledge(1, instance, ":1.1")
        #expect(session.asks(.sharedHoldersCleared(1)))
        session.finish()
        #expect(session.machine.phase == .ready)
        #expect(session.answer(back: 1)?.receipt?.outcome == .cleared)
    }

    @Test func `what the journal took before anybody was asked is none of the apps' time`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        session.now += 6_000_000
        session.feed(.announcedLate(1, by: 6_000_000))
        #expect(session.state(Session.till) == .pending)
        #expect(session.machine.deadline == session.now + 5_000_000)
        session.pass(milliseconds: 4999)
        #expect(session.state(Session.till) == .pending)
        session.acknowledge(1, instance, ":1.1")
        session.finish()
        #expect(session.answer(back: 1)?.receipt?.outcome == .cleared)
        // Of another epoch, or of one that has ended, it says nothing.
        session.feed(.announcedLate(1, by: 1))
        #expect(session.records.isEmpty)
    }

    @Test func `a sign-out that a slow journal makes too long says which limit it broke`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        session.now += 2_000_000
        session.feed(.announcedLate(1, by: 2_000_000))
        session.pass(milliseconds: 4000)
        session.acknowledge(1, instance, ":1.1")
        session.pass(milliseconds: 3000)
        session.finish()
        let receipt = try #require(session.answer(back: 1)?.receipt)
        // Ten seconds are allowed, nine have passed, and this is not written yet.
        #expect(receipt.outcome == .cleared)
        #expect(receipt.explanation.text.contains("absolute limit of 10 s"), "\(receipt.explanation)")
        #expect(receipt.explanation.text.contains("took 2 s"), "\(receipt.explanation)")
    }

    @Test func `two sign-outs join one barrier and get the same receipt`() throws {
        let (session, instance) = try inUse()
        session.signOut(.user)
        session.signOut(.administrator)
        session.acknowledge(1, instance, ":1.1")
        session.finish()
        let receipt = try #require(session.answer(back: 1)?.receipt)
        #expect(receipt == session.answer(back: 2)?.receipt)
        #expect(receipt.reason == .user)
    }

    @Test func `a sign-out of an ended epoch, or with nobody signed in, does nothing`() throws {
        let session = Session()
        #expect(session.signOut() == .signedOut(0, nil))
        session.signIn()
        #expect(session.call { .signOut($0, epoch: 0, .user) } == .signedOut(0, nil))
        #expect(session.machine.phase == .inUse)
        #expect(session.call { .signOut($0, epoch: 2, .user) }?.refusal == .epochAhead(current: 1))
    }

    @Test func `who does not acknowledge by the hard deadline is contained`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        session.pass(milliseconds: 1500)
        #expect(session.machine.participants(at: session.moment).first?.slow == true)
        session.pass(milliseconds: 3499)
        #expect(session.state(Session.till) == .pending)
        session.pass(milliseconds: 1)
        #expect(session.state(Session.till) == .containing)
        let report = Containment(epoch: 1, outcome: .contained, instances: [instance], proof: .pid)
        session.agentSays(.contained(Session.till, report))
        session.finish()
        #expect(session.answer()?.receipt?.outcome == .contained)
        #expect(session.answer()?.receipt?.participants.first?.proof == .pid)
    }

    @Test func `stopping an unlisted app leaves a debt`() throws {
        let (session, instance) = try inUse(Session.notes)
        session.signOut()
        session.pass(milliseconds: 5000)
        session.agentSays(.contained(Session.notes, Containment(epoch: 1, outcome: .stopped, instances: [instance])))
        session.finish()
        #expect(session.answer()?.receipt?.outcome == .owed)
        #expect(session.owed(Session.notes) == 1)
        session.signIn(Session.ben)
        session.signOut()
        session.finish()
        #expect(session.answer()?.receipt?.outcome == .cleared)
        #expect(session.answer()?.receipt?.debts.map(\.app) == [Session.notes])
    }

    @Test func `an entry that would be owed quarantines where the settings say so`() throws {
        let (session, instance) = try inUse(Session.notes) { $0.unproven = .quarantine }
        session.signOut()
        session.pass(milliseconds: 5000)
        session.agentSays(.contained(Session.notes, Containment(epoch: 1, outcome: .stopped, instances: [instance])))
        session.finish()
        #expect(session.machine.phase == .quarantined)
    }

    @Test func `a failed acknowledgement is contained at once`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        #expect(session.acknowledge(1, instance, ":1.1", .failed) == .done)
        #expect(session.contained(Session.till) == [instance])
    }

    @Test func `an instance that answered in time is not named when its app is contained`() throws {
        let (session, first) = try inUse()
        let second = try #require(session.register(Session.till, ":1.2", pid: 11)).instance
        session.signOut()
        session.acknowledge(1, first, ":1.1")
        session.pass(milliseconds: 4999)
        session.now += 1000
        session.feed(.tick)
        #expect(session.contained(Session.till) == [second])
    }

    @Test func `Extend moves one app's deadline, twice at most and never too far`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        let start = session.now
        func extend(_ milliseconds: UInt64) -> Answer? {
            session.call { .extend($0, ":1.1", 1, instance, microseconds: milliseconds * 1000) }
        }
        #expect(extend(1000) == .deadline(start + 6_000_000))
        #expect(extend(60_000) == .deadline(start + 7_000_000))
        #expect(extend(1)?.refusal == .extendedEnough)
        session.pass(milliseconds: 6999)
        #expect(session.state(Session.till) == .pending)
        session.pass(milliseconds: 1)
        #expect(session.state(Session.till) == .containing)
    }

    @Test func `a containment that fails quarantines, and the receipt names the app`() throws {
        let (session, _) = try inUse()
        session.signOut()
        session.pass(milliseconds: 5000)
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .failed)))
        session.finish()
        #expect(session.machine.phase == .quarantined)
        #expect(session.answer()?.receipt?.participants.first?.outcome == .unproven)
        #expect(session.signIn()?.refusal == .quarantined)
    }

    @Test func `with an agent that never answers it ends at the absolute limit`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        session.acknowledge(1, instance, ":1.1")
        session.pass(milliseconds: 9999)
        #expect(session.machine.phase == .clearing)
        session.pass(milliseconds: 1)
        #expect(session.machine.phase == .quarantined)
    }

    @Test func `Leave says that nothing of the worker is left`() throws {
        let (session, instance) = try inUse()
        #expect(session.call { .leave($0, ":1.1", instance) } == .done)
        session.signOut()
        #expect(session.state(Session.till) == .cleared)
        session.finish()
        #expect(session.answer()?.receipt?.outcome == .cleared)
    }

    @Test func `after Leave and another Register in the same turn the app must clear again`() throws {
        let (session, instance) = try inUse()
        session.call { .leave($0, ":1.1", instance) }
        session.register(Session.till, ":1.2", pid: 11, clearedThrough: 0)
        session.signOut()
        #expect(session.state(Session.till) == .pending)
    }
}
