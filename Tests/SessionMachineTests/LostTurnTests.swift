import Testing
import Vocabulary

@testable import SessionMachine

/// The epoch file says that a turn has begun, and the journal does not know who took part in it.
struct LostTurnTests {
    private static let why = Explanation.Part.lostJournal
    private static let gone = AppKey(uid: 1000, id: "*gone")

    /// A supervisor that finds such a turn, in the boot in which that began.
    private func lost(boot: String = "boot") -> Session {
        let session = Session()
        var device = session.journal.device
        device.epoch = 5
        device.born = 5
        device.nextInstance = Instance(rawValue: 1 << 32)
        device.turn = Ledger.TurnRecord(
            epoch: 5, holder: .unknown, when: 1, began: Ledger.Begin(wall: 1, boottime: 2, bootID: "boot"),
            lost: [Self.why])
        session.journal.apply(.device(device))
        session.restart(boot: boot)
        return session
    }

    private func agentComes(_ session: Session, holding instances: [Instance] = []) {
        session.feed(.agentHolds(instances, uid: 1000))
        session.agentComes()
    }

    private func contained(_ session: Session, _ app: AppKey, _ outcome: ContainmentOutcome, _ instances: [Instance]) {
        session.agentSays(.contained(app, Containment(epoch: 5, outcome: outcome, instances: instances)))
    }

    @Test func `is ended with all that the agent finds, and quarantined`() throws {
        let session = lost()
        #expect(session.machine.phase == .clearing)
        #expect(session.barrier?.reason == .recovery)
        agentComes(session, holding: [7, 8])
        #expect(session.contained(Self.gone) == [7, 8])
        // Any listed app may have taken part.
        #expect(session.contained(Session.till) == [])
        contained(session, Self.gone, .stopped, [7, 8])
        contained(session, Session.till, .contained, [])
        session.finish()
        #expect(session.machine.phase == .quarantined)
        let receipt = try #require(session.machine.ledger.quarantined)
        #expect(receipt.explanation.parts.contains(Self.why))
        #expect(receipt.holder == .unknown)
        let rows = Dictionary(uniqueKeysWithValues: receipt.participants.map { ($0.app, $0.outcome) })
        #expect(rows == [Self.gone: .owed, Session.till: .contained])
        #expect(session.signIn()?.refusal == .quarantined)
        // Nobody can find out by trying again.
        session.now += 10_000_000
        session.signOut()
        session.finish()
        agentComes(session)
        session.finish()
        #expect(session.machine.phase == .quarantined)

        _ = session.call { .endQuarantine($0) }
        #expect(session.machine.phase == .ready)
        // Whoever it was has to clear before it gets anything.
        #expect(session.register(Session.notes, ":1.9", pid: 99)?.clearThrough == 5)
        #expect(session.machine.previous(at: session.moment) == nil)
    }

    @Test func `ends with the word of the app that comes back`() throws {
        let session = lost()
        let notes = try #require(session.register(Session.notes, ":1.9", pid: 99))
        #expect(notes.clearThrough == 5 && notes.holder == nil)
        agentComes(session)
        #expect(session.state(Session.notes) == .pending)
        session.acknowledge(5, notes.instance, ":1.9")
        #expect(session.state(Session.notes) == .cleared)
    }

    @Test func `keeps those in its roster whom an older copy knows`() throws {
        let session = lost()
        var ledger = session.journal
        ledger.apply(.barrier(nil))
        ledger.apply(.registration(3, Registration(app: Session.notes, sender: ":1.3", pid: 3, mustClear: 5)))
        session.journal = ledger
        session.restart(alive: [":1.3"])
        agentComes(session, holding: [3])
        #expect(session.state(Session.notes) == .pending)
        #expect(session.state(Self.gone) == nil, "it is known")
        session.acknowledge(5, 3, ":1.3")
        #expect(session.state(Session.notes) == .cleared)
    }

    @Test func `is quarantined no longer than the boot in which it began`() throws {
        var session = lost(boot: "another")
        agentComes(session)
        session.finish()
        #expect(session.machine.phase == .ready)

        session = lost()
        agentComes(session)
        contained(session, Session.till, .contained, [])
        session.finish()
        #expect(session.machine.phase == .quarantined)
        session.restart(boot: "another")
        agentComes(session)
        session.finish()
        #expect(session.machine.phase == .ready)
        #expect(session.machine.ledger.quarantined == nil)
    }

    @Test func `contains in a quarantine too what an agent brings later`() throws {
        let session = lost()
        session.pass(milliseconds: 60_000)
        agentComes(session)
        contained(session, Session.till, .contained, [])
        session.finish()
        #expect(session.machine.phase == .quarantined)
        session.agentLeaves()
        agentComes(session, holding: [9])
        #expect(session.contained(Self.gone) == [9])
        contained(session, Self.gone, .stopped, [9])
        session.finish()
        #expect(session.machine.phase == .quarantined)
        #expect(session.state(Self.gone) == .owed)
    }
}
