import SessionMachine
import Testing
import Vocabulary

struct MachineRestartTests {
    private func inUse() throws -> (Session, Instance) {
        let session = Session()
        session.signIn()
        return (session, try #require(session.register(Session.till, ":1.1")).instance)
    }

    @Test func `a turn goes on after a restart`() throws {
        let (session, _) = try inUse()
        session.restart(alive: [":1.1"])
        #expect(session.machine.phase == .inUse)
        #expect(!session.machine.mayHaveToken(":1.1"), "tokens wait for the agent")
        session.agentComes()
        #expect(session.machine.mayHaveToken(":1.1"))
    }

    @Test func `a barrier goes on with the words so far and is announced again`() throws {
        let (session, instance) = try inUse()
        let other = session.register(Session.notes, ":1.2", pid: 11)
        session.signOut()
        session.acknowledge(1, instance, ":1.1")
        session.pass(milliseconds: 4900)
        session.restart(alive: [":1.1", ":1.2"])
        #expect(session.state(Session.till) == .cleared)
        #expect(session.effects.contains { if case .announce(.signingOut(1, _, _, _)) = $0 { true } else { false } })
        session.agentComes()
        session.pass(milliseconds: 1400)
        #expect(session.state(Session.notes) == .pending)
        session.acknowledge(1, other?.instance, ":1.2")
        session.finish()
        #expect(session.machine.phase == .ready)
    }

    @Test func `deadlines that passed while it was down are moved, not acted on`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        session.now += 30_000_000
        session.restart(alive: [":1.1"])
        session.agentComes()
        #expect(session.state(Session.till) == .pending)
        session.acknowledge(1, instance, ":1.1")
        session.finish()
        #expect(session.machine.phase == .ready)
    }

    @Test(arguments: [true, false])
    func `what was refused before a kill is in the receipt`(inTurn: Bool) throws {
        let (session, instance) = try inUse()
        if !inTurn { session.signOut() }
        for _ in 1...3 { session.acknowledge(1, instance, ":1.666") }
        session.restart(alive: [":1.1"])
        session.agentComes()
        if inTurn { session.signOut() }
        session.acknowledge(1, instance, ":1.666")
        session.acknowledge(1, instance, ":1.1")
        session.finish()
        func ended() -> ReceiptRecord? {
            for case .ended(let receipt) in session.records { return receipt }
            return nil
        }
        let ended = try #require(ended())
        #expect(ended.rejections.map(\.sender) == [":1.666"])
        #expect(ended.rejections.map(\.count) == [4])
        // And not in the next one.
        session.signIn()
        session.signOut()
        session.acknowledge(2, instance, ":1.1")
        session.finish()
        #expect(!session.records.contains { if case .ended(let next) = $0 { !next.rejections.isEmpty } else { false } })
    }

    @Test func `refused words keep the disk busy no longer when there are many`() throws {
        let (session, instance) = try inUse()
        var writes = 0
        for _ in 1...1000 {
            session.acknowledge(1, instance, ":1.666")
            if !session.records.isEmpty { writes += 1 }
        }
        #expect(writes == 11)
    }

    @Test func `the third restart in one barrier ends in quarantine`() throws {
        let (session, _) = try inUse()
        session.signOut()
        for _ in 0..<2 {
            session.restart(alive: [":1.1"])
            #expect(session.machine.phase == .clearing)
        }
        session.restart(alive: [":1.1"])
        #expect(session.machine.phase == .quarantined)
    }

    @Test func `another boot ends the turn with reason recovery, once the agent has come`() throws {
        let (session, _) = try inUse()
        session.now = 5_000_000
        session.restart(bus: "bus2", boot: "boot2")
        #expect(session.machine.phase == .clearing)
        #expect(session.barrier?.reason == .recovery)
        session.pass(milliseconds: 60_000)
        #expect(session.machine.phase == .clearing)
        session.agentComes()
        #expect(session.contained(Session.till) == [])
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .contained)))
        session.finish()
        #expect(session.machine.phase == .ready)
    }

    @Test func `with another bus every instance has left`() throws {
        let (session, instance) = try inUse()
        session.restart(alive: [":1.1"], bus: "bus2")
        #expect(session.machine.ledger.registrations[instance]?.connected == false)
    }

    @Test func `a retry that the supervisor did not survive is made again`() throws {
        let (session, instance) = try inUse()
        session.signOut()
        session.pass(milliseconds: 5000)
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .failed)))
        session.finish()
        session.signOut()
        #expect(session.state(Session.till) == .containing)
        session.restart(alive: [":1.1"])
        session.agentComes()
        #expect(session.contained(Session.till) == [instance])
    }

    @Test func `a marker makes a restart read an unjournalled sign-out as quarantine`() throws {
        let session = Session()
        session.restart(marked: true)
        #expect(session.machine.phase == .quarantined)
        #expect(session.call { .endQuarantine($0) } == .receipt(nil))
        #expect(session.effects.contains(.unmark))
        #expect(session.machine.phase == .ready)
    }

    @Test func `what is wrong with a journal is told also where a marker is`() {
        let session = Session()
        session.restart(marked: true, sealed: "mend it")
        #expect(session.machine.quarantineExplanation?.text == "mend it")
    }

    @Test(arguments: [true, false])
    func `a sign-out that is asked for without a journal is kept in mind until there is one`(byWorker: Bool) throws {
        let (session, _) = try inUse()
        let kept = session.journal
        session.restart(sealed: "mend it")
        if byWorker {
            #expect(session.signOut()?.refusal == .quarantined)
        } else {
            session.feed(.automaticSignOutDue(.expired))
        }
        #expect(session.effects.contains(.rememberSignOut))
        // Another start that finds no journal forgets nothing.
        session.restart(signOutAsked: true, sealed: "mend it")
        #expect(!session.effects.contains(.unmark))
        session.journal = kept
        session.restart(signOutAsked: true)
        #expect(session.machine.phase == .clearing && session.barrier?.reason == .recovery)
        #expect(session.barrier?.doomed == nil && session.effects.contains(.unmark))
    }

    @Test func `a sign-out that was asked for keeps its mark while the journal cannot be written`() throws {
        let (session, _) = try inUse()
        session.machine = Machine(ledger: session.journal, policy: session.machine.policy)
        session.feed(.journalFailed)
        session.feed(
            .started(StartFindings(busID: "bus", bootID: "boot", alive: [":1.1"], signOutAsked: true)))
        #expect(session.barrier != nil)
        #expect(!session.effects.contains(.unmark))
    }

    @Test func `without a journal nobody is asked to clear a turn that may still be open`() throws {
        let (session, _) = try inUse()
        session.restart(sealed: "mend it")
        let request = Registering(sender: ":1.7", app: Session.till, pid: 7)
        #expect(session.call { .register($0, request) }?.refusal == .journalFailed)
        #expect(session.machine.ledger.registrations.isEmpty)
    }

    @Test func `an agent that stays away ends the turn`() throws {
        let (session, _) = try inUse()
        session.agentLeaves()
        #expect(!session.machine.mayHaveToken(":1.1"))
        session.pass(milliseconds: 9999)
        #expect(session.machine.phase == .inUse)
        session.pass(milliseconds: 1)
        #expect(session.barrier?.reason == .agentLost)
    }

    @Test func `without a required agent browser and shared holders are unchecked`() throws {
        let session = Session(agent: false) { $0.agentRequired = false }
        session.signIn()
        let receipt = try #require(session.signOut()?.receipt)
        #expect(receipt.browser == .unchecked)
        #expect(receipt.shared.map(\.name) == ["turn", "session"])
        #expect(receipt.shared.allSatisfy { $0.outcome == .unchecked })
        #expect(receipt.outcome == .cleared)
    }

    @Test func `what a failing journal does not hold is promised to nobody`() {
        let session = Session()
        session.signIn()
        session.signOut()
        session.finish()
        session.feed(.journalFailed)
        // Asked twice: what the first one changed is in no journal yet.
        for _ in 1...2 {
            #expect(session.call { .forgetPrevious($0, 1) }?.refusal == .journalFailed)
            #expect(session.call { .setMode($0, .personal) }?.refusal == .journalFailed)
            // Each is a try whether it can be written again.
            #expect(session.effects.contains { if case .journal = $0 { true } else { false } })
        }
        #expect(session.machine.phase == .ready)
        session.feed(.journalRecovered)
        #expect(session.call { .forgetPrevious($0, 1) } == .done)
        #expect(session.call { .setMode($0, .personal) } == .done)
    }

    @Test func `when the journal fails the barrier runs, leaves a mark and quarantines`() throws {
        let (session, instance) = try inUse()
        session.feed(.journalFailed)
        session.signOut()
        #expect(session.effects.contains(.mark))
        #expect(session.acknowledge(1, instance, ":1.1")?.refusal == .journalFailed)
        #expect(session.acknowledge(1, instance, ":1.1")?.refusal == .journalFailed)
        session.finish()
        #expect(session.machine.phase == .quarantined)
        #expect(session.call { .endQuarantine($0) }?.refusal == .journalFailed)
        session.feed(.journalRecovered)
        session.signOut()
        session.finish()
        #expect(session.machine.phase == .ready)
    }
}
