import SessionMachine
import Testing
import Vocabulary

/// A machine that is about to sleep or to be switched off.
struct PowerDownTests {
    private func isAllowed(_ session: Session) -> Bool { session.effects.contains(.allowPowerDown) }

    @Test(arguments: [SignOutReason.sleep, .shutdown])
    func `it waits until the worker is signed out`(reason: SignOutReason) {
        let session = Session()
        session.signIn()
        let till = session.register(Session.till, ":1.1")?.instance
        session.feed(.powersDown(reason))
        #expect(session.barrier?.reason == reason)
        #expect(!isAllowed(session))
        session.acknowledge(1, till, ":1.1")
        session.finish()
        #expect(session.machine.phase == .ready && isAllowed(session))
        // Once.
        session.signIn()
        session.signOut()
        session.finish()
        #expect(!isAllowed(session))
    }

    @Test func `a free device keeps nothing awake`() {
        let session = Session()
        session.feed(.powersDown(.sleep))
        #expect(isAllowed(session))
    }

    @Test func `a device that no workers share keeps nothing awake`() {
        let session = Session()
        #expect(session.call { .setMode($0, .personal) } == .done)
        session.feed(.powersDown(.sleep))
        #expect(isAllowed(session))
    }

    @Test func `a sign-out that goes on already is waited for`() {
        let session = Session()
        session.signIn()
        let till = session.register(Session.till, ":1.1")?.instance
        session.signOut()
        session.feed(.powersDown(.sleep))
        #expect(session.barrier?.reason == .user)
        #expect(!isAllowed(session))
        session.acknowledge(1, till, ":1.1")
        session.finish()
        #expect(isAllowed(session))
    }

    @Test func `a sign-in that is not done is given up`() {
        let session = Session()
        let answer = session.call { .signIn($0, ":1.9") }
        #expect(answer == nil && session.machine.phase == .signingIn)
        session.feed(.powersDown(.shutdown))
        #expect(session.machine.phase == .ready && isAllowed(session))
    }

    @Test func `a sign-out that ends in quarantine is no reason to wait longer`() {
        let session = Session()
        session.signIn()
        session.register(Session.till, ":1.1")
        session.agentLeaves()
        session.feed(.powersDown(.shutdown))
        #expect(!isAllowed(session))
        // Not before its time is over, and then it is forgotten with the answer.
        session.pass(milliseconds: 1000)
        #expect(session.machine.powerDown == .shutdown)
        session.pass(milliseconds: 60_000)
        #expect(session.machine.phase == .quarantined && session.machine.powerDown == nil)
    }

    @Test func `one that stays up after all is not told anything later`() {
        let session = Session()
        session.signIn()
        let till = session.register(Session.till, ":1.1")?.instance
        session.feed(.powersDown(.sleep))
        session.feed(.staysUp)
        session.acknowledge(1, till, ":1.1")
        session.finish()
        #expect(session.machine.phase == .ready && !isAllowed(session))
    }
}
