import SessionMachine
import Testing
import Vocabulary

/// What pays for a debt: the word of an app, its end, or neither.
extension BarrierTests {
    @Test func `leaving the bus is no acknowledgement`() throws {
        let (session, instance) = try inUse(Session.notes)
        session.signOut()
        session.feed(.disconnected(":1.1"))
        #expect(session.state(Session.notes) == .pending)
        session.pass(milliseconds: 1500)
        #expect(session.state(Session.notes) == .containing)
        #expect(session.machine.ledger.registrations[instance]?.connected == false)
    }

    @Test func `a new instance does not pay for a process that is still alive`() throws {
        let (session, old) = try inUse()
        session.signOut()
        session.feed(.disconnected(":1.1"))
        let new = session.register(Session.till, ":1.2", pid: 11)
        #expect(new?.clearThrough == 1)
        session.acknowledge(1, new?.instance, ":1.2")
        #expect(session.state(Session.till) == .pending)
        session.feed(.processExited(old))
        // It may have written until its end, after the new one had cleared.
        #expect(session.state(Session.till) == .pending)
        let next = session.register(Session.till, ":1.3", pid: 12)
        session.acknowledge(1, next?.instance, ":1.3")
        #expect(session.state(Session.till) == .cleared)
    }

    @Test func `an instance that cleared does not pay for another one that ends without a word`() throws {
        let (session, first) = try inUse()
        let second = session.register(Session.till, ":1.2", pid: 11)
        session.signOut()
        session.acknowledge(1, first, ":1.1")
        session.feed(.disconnected(":1.2"))
        if let second { session.feed(.processExited(second.instance)) }
        #expect(session.state(Session.till) == .pending)
        // Nor where the end is told before the connection is gone.
        session.pass(milliseconds: 5000)
        #expect(session.state(Session.till) != .cleared)
    }

    @Test(arguments: [true, false])
    func `an instance that cleared does not pay for one that is stopped later`(isEndHeardFirst: Bool) throws {
        let (session, old) = try inUse(Session.notes)
        session.feed(.disconnected(":1.1"))
        let new = session.register(Session.notes, ":1.2", pid: 11)
        session.signOut()
        session.acknowledge(1, new?.instance, ":1.2")
        session.pass(milliseconds: 5000)
        #expect(session.state(Session.notes) == .containing)
        // The agent tells of the end and of the containment in any order.
        if isEndHeardFirst { session.feed(.processExited(old)) }
        session.agentSays(.contained(Session.notes, Containment(epoch: 1, outcome: .stopped, instances: [old])))
        session.finish()
        #expect(session.answer(back: 1)?.receipt?.outcome == .owed)
        #expect(session.owed(Session.notes) == 1)
    }

    @Test func `one whose end was seen before its connection left is not paid for either`() throws {
        let (session, first) = try inUse()
        let second = session.register(Session.till, ":1.2", pid: 11)
        session.signOut()
        if let second { session.feed(.processExited(second.instance)) }
        session.feed(.disconnected(":1.2"))
        session.acknowledge(1, first, ":1.1")
        #expect(session.state(Session.till) == .pending)
    }

    @Test func `who joins a containment and ends in the middle of it leaves a debt`() throws {
        let (session, old) = try inUse()
        session.signOut()
        session.pass(milliseconds: 5000)
        #expect(session.state(Session.till) == .containing)
        // Not among those whom the agent stops before it wipes.
        let late = try #require(session.register(Session.till, ":1.2", pid: 11)).instance
        session.feed(.disconnected(":1.2"))
        session.feed(.processExited(late))
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .contained, instances: [old])))
        #expect(session.state(Session.till) == .contained)
        #expect(session.owed(Session.till) == 1)
    }

    @Test func `an end that the agent brought about leaves no debt`() throws {
        let (session, old) = try inUse()
        session.signOut()
        session.pass(milliseconds: 5000)
        #expect(session.state(Session.till) == .containing)
        session.feed(.disconnected(":1.1"))
        session.feed(.processExited(old))
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .contained, instances: [old])))
        #expect(session.state(Session.till) == .contained)
        #expect(session.owed(Session.till) == nil)
    }

    @Test func `the same process under a new instance pays for itself`() throws {
        let (session, _) = try inUse()
        session.signOut()
        session.feed(.disconnected(":1.1"))
        let new = session.register(Session.till, ":1.2", pid: 10)
        session.acknowledge(1, new?.instance, ":1.2")
        #expect(session.state(Session.till) == .cleared)
    }

    @Test func `a late joiner must clear too, and gets no new deadline`() throws {
        let (session, instance) = try inUse()
        session.register(Session.notes, ":1.2", pid: 11)
        session.signOut()
        session.acknowledge(1, instance, ":1.1")
        session.pass(milliseconds: 4900)
        session.register(Session.till, ":1.3", pid: 12)
        #expect(session.state(Session.till) == .pending)
        session.pass(milliseconds: 100)
        #expect(session.state(Session.till) == .containing)
        #expect(session.state(Session.notes) == .containing)
    }

    @Test func `an instance that joins while its app is contained pays when it clears`() throws {
        let (session, instance) = try inUse()
        session.register(Session.notes, ":1.9", pid: 19)
        session.signOut()
        session.pass(milliseconds: 5000)
        let late = session.register(Session.till, ":1.2", pid: 11)
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .contained, instances: [instance])))
        #expect(session.owed(Session.till) == 1)
        session.acknowledge(1, late?.instance, ":1.2")
        #expect(session.owed(Session.till) == nil)
    }

    @Test func `who joins after the close has a debt and delays nothing`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        session.acknowledge(1, instance, ":1.1")
        #expect(session.register(Session.notes, ":1.2", pid: 11)?.clearThrough == 1)
        session.finish()
        #expect(session.machine.phase == .ready)
        #expect(session.owed(Session.notes) == 1)
        #expect(session.machine.mustClear(":1.2") == 1)
    }

}
