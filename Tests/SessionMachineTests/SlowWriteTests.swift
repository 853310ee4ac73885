import SessionMachine
import Testing
import Vocabulary

/// A journal that writes for so long that deadlines have to move.
struct SlowWriteTests {
    private static let app = Session.till

    /// An app takes part, and half the soft deadline is the most that a write may take.
    private func inUse() -> (Session, most: UInt64) {
        let session = Session()
        session.signIn()
        session.register(Self.app, ":1.1")
        return (session, session.machine.policy.soft / 2)
    }

    @Test func `an announcement is late that was held back for more than half the soft deadline`() {
        let (session, most) = inUse()
        session.signOut()
        #expect(session.machine.slowWrite(of: most, holding: session.effects) == nil)
        #expect(session.machine.slowWrite(of: most + 1, holding: session.effects) == .delayedAnnouncement(1))
    }

    @Test func `a sign-out that was announced before loses the time of its answers`() {
        let (session, most) = inUse()
        #expect(session.machine.slowWrite(of: most + 1, holding: []) == nil, "no sign-out runs")
        session.signOut()
        #expect(session.machine.slowWrite(of: most, holding: []) == nil)
        #expect(session.machine.slowWrite(of: most + 1, holding: []) == .delayedAnswers(1))
    }

    @Test func `a sign-out that has ended loses nothing, and only its announcement can be late`() {
        let (session, most) = inUse()
        session.signOut()
        let announced = session.effects
        session.pass(milliseconds: 60_000)
        #expect(session.machine.phase == .quarantined)
        #expect(session.machine.slowWrite(of: most + 1, holding: session.effects) == nil)
        #expect(session.machine.slowWrite(of: most + 1, holding: announced) == .delayedAnnouncement(1))
    }

    @Test func `a late announcement has the deadline that the sign-out has then`() throws {
        let (session, most) = inUse()
        session.signOut()
        let late = session.effects.map { $0.postponed(by: most + 1) }
        session.now += most + 1
        session.feed(.announcedLate(1, by: most + 1))
        let deadline = session.machine.deadline
        #expect(late.contains(.announce(.signingOut(1, Session.ana, .user, deadline: deadline))))
    }
}
