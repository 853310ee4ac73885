import SessionMachine
import Testing
import Vocabulary

/// What counts is when something was said, not when it could be heard.
struct LateEventTests {
    private func signingOut() throws -> (Session, [Instance], hard: UInt64) {
        let session = Session()
        session.signIn()
        let first = try #require(session.register(Session.notes, ":1.1", pid: 11)).instance
        let second = try #require(session.register(Session.notes, ":1.2", pid: 12)).instance
        session.signOut()
        return (session, [first, second], try #require(session.barrier).hard)
    }

    private func hear(_ kind: Event.Kind, _ session: Session, sentAt sent: UInt64) {
        let moment = Moment(monotonic: sent, boottime: session.now, wall: session.wall)
        for case .journal(let records) in session.machine.handle(Event(kind, at: session.moment, sent: moment)) {
            for record in records { session.journal.apply(record) }
        }
    }

    private func word(_ instance: Instance, _ sender: Sender) -> Event.Kind {
        .acknowledge(0, Acknowledging(sender: sender, epoch: 1, instance: instance, outcome: .cleared))
    }

    @Test func `a word that was sent before the deadline is in time`() throws {
        let (session, instances, hard) = try signingOut()
        session.now = hard + 1_000_000
        hear(word(instances[0], ":1.1"), session, sentAt: hard - 1)
        #expect(session.state(Session.notes) == .pending, "the other connection is not late either")
        hear(word(instances[1], ":1.2"), session, sentAt: hard - 1)
        #expect(session.state(Session.notes) == .cleared)
        session.feed(.tick)
        #expect(session.contained(Session.notes) == nil)
    }

    @Test func `silence is not`() throws {
        let (session, instances, hard) = try signingOut()
        session.now = hard + 1_000_000
        hear(word(instances[0], ":1.1"), session, sentAt: hard - 1)
        session.feed(.tick)
        #expect(session.contained(Session.notes) == [instances[1]])
    }

    @Test func `an app that left meanwhile has until the deadlines are acted on`() throws {
        let (session, instances, hard) = try signingOut()
        session.now = hard + 1_000_000
        hear(.disconnected(":1.1"), session, sentAt: hard - 1)
        hear(word(instances[1], ":1.2"), session, sentAt: hard - 1)
        #expect(session.state(Session.notes) == .pending)
        hear(.processExited(instances[0]), session, sentAt: hard - 1)
        session.feed(.tick)
        // Its other process ended without a word, so its files are contained; nobody who answered is stopped.
        #expect(session.contained(Session.notes) == [])
    }

    @Test func `an agent's report that was sent before its deadline is one`() throws {
        let (session, instances, hard) = try signingOut()
        session.acknowledge(1, instances[0], ":1.1", .failed)
        let ends = try #require(session.machine.ledger.roster[Session.notes]?.containmentEnds)
        #expect(ends > hard)
        session.now = ends + 1_000_000
        let report = Containment(epoch: 1, outcome: .stopped, instances: instances, proof: .pid)
        hear(.agentReported(1, .contained(Session.notes, report)), session, sentAt: ends - 1)
        session.feed(.tick)
        #expect(session.state(Session.notes) == .owed)
    }
}
