import SessionMachine
import Testing
import Vocabulary

struct ProviderTests {
    private func session() -> Session { Session { $0.providerWait = 2_000_000 } }

    @Test func `a sign-out waits for the provider, and the receipt says what it was told`() {
        let session = session()
        session.signIn()
        #expect(session.signOut() == nil)
        #expect(session.effects.contains(.signOutAtProvider(1)))
        session.finish()
        #expect(session.machine.phase == .clearing)
        session.feed(.signedOutAtProvider(1, ProviderReport(.signedOut)))
        #expect(session.answer()?.receipt?.provider?.outcome == .signedOut)
        #expect(session.answer()?.receipt?.outcome == .cleared)
    }

    @Test func `a provider that does not answer holds a sign-out up for the bounded wait and no longer`() {
        let session = session()
        session.signIn()
        session.signOut()
        session.finish()
        session.pass(milliseconds: 1999)
        #expect(session.machine.phase == .clearing)
        session.pass(milliseconds: 1)
        #expect(session.machine.phase == .ready)
        #expect(session.answer()?.receipt?.provider?.outcome == .pending)
        #expect(session.answer()?.receipt?.outcome == .cleared)
    }

    @Test func `what the provider says after the sign-out goes into its receipt`() {
        let session = session()
        session.signIn()
        session.signOut()
        session.finish()
        session.pass(milliseconds: 2000)
        let report = ProviderReport(.signedOut, explanation: "later")
        session.feed(.signedOutAtProvider(1, report))
        #expect(session.records == [.told(1, report)])
        // What is no news is not written.
        session.feed(.signedOutAtProvider(1, ProviderReport(.pending)))
        #expect(session.records.isEmpty)
        session.feed(.signedOutAtProvider(7, report))
        #expect(session.records.isEmpty)
    }

    @Test func `without a provider nobody is told and nobody is waited for`() {
        let session = Session()
        session.signIn()
        session.signOut()
        #expect(!session.effects.contains(.signOutAtProvider(1)))
        session.finish()
        #expect(session.answer()?.receipt?.provider?.outcome == ProviderOutcome.none)
    }

    @Test func `a supervisor that was restarted in the middle asks again`() {
        let session = session()
        session.signIn()
        session.signOut()
        session.restart()
        #expect(session.effects.contains(.signOutAtProvider(1)))
        session.agentComes()
        session.finish()
        session.feed(.signedOutAtProvider(1, ProviderReport(.notTold)))
        #expect(session.machine.phase == .ready)
    }

    @Test func `tokens go to the epoch that their sign-in began, and of no other sign-in`() {
        let session = session()
        session.signIn()
        #expect(session.effects.contains(.adopt(1, 1)))
        session.signIn(Session.ana)
        #expect(session.effects.contains(.adopt(2, 1)))
        session.signIn(Session.ben)
        #expect(session.effects.contains(.discard(3)))
    }

    @Test func `a sign-in that nobody waits for any more gives its tokens back`() {
        let session = session()
        session.call { .signIn($0, ":1.0") }
        session.call { .cancelSignIn($0, ":1.0", privileged: false) }
        session.feed(.signInSucceeded(1, Session.ana))
        #expect(session.effects.contains(.discard(1)))
        #expect(session.machine.phase == .ready)
    }

    @Test func `the worker's own answer at the end of a cancelled second sign-in is discarded too`() {
        let session = session()
        session.signIn()
        session.call { .signIn($0, ":1.0") }
        session.call { .cancelSignIn($0, ":1.0", privileged: false) }
        session.feed(.signInSucceeded(2, Session.ana))
        #expect(session.effects.contains(.discard(2)))
    }
}
