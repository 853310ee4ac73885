import SessionMachine
import Testing
import Vocabulary

struct ProviderTests {
    private static let pages = ProviderPages(endSession: "https://provider.example/end")

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
        let report = ProviderReport(.signedOut, said: "later")
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

    @Test func `a turn begins in a managed browser with the provider's pages, as soon as it names them`() {
        let session = Session { $0.hasManagedBrowser = true }
        session.signIn()
        #expect(session.effects.contains(.askForPages(1, for: 1)) && !session.begins(1))
        session.feed(.providerPages(Self.pages, 1, for: 1))
        guard case .beginTurn(let plan)? = session.requests.first else {
            Issue.record("no turn began")
            return
        }
        #expect(plan.epoch == 1 && plan.holder == Session.ana && plan.pages == Self.pages)
        // It may have none.
        session.agentComes()
        session.feed(.providerPages(nil, 1, for: 2))
        #expect(session.begins(1))
    }

    @Test func `pages that come too late begin no turn: after its sign-out, in the next one, for another agent`() {
        let session = Session { $0.hasManagedBrowser = true }
        session.signIn()
        let app = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        session.agentLeaves()
        session.feed(.providerPages(Self.pages, 1, for: 1))
        #expect(session.effects.isEmpty)
        session.agentComes()
        session.feed(.providerPages(Self.pages, 1, for: 1))
        #expect(!session.begins(1))
        session.signOut()
        session.feed(.providerPages(Self.pages, 1, for: 2))
        #expect(!session.begins(1))
        session.acknowledge(1, app, ":1.5")
        session.finish()
        session.signIn(Session.ben)
        session.feed(.providerPages(Self.pages, 1, for: 2))
        #expect(!session.begins(1) && !session.begins(2))
        session.feed(.providerPages(Self.pages, 2, for: 2))
        #expect(session.begins(2))
    }

    @Test func `only of a managed browser the provider may have a log-out page`() {
        for isManaged in [true, false] {
            let session = Session { $0.hasManagedBrowser = isManaged }
            session.signIn()
            session.signOut()
            #expect(
                session.requests.contains {
                    if case .signOutBrowser(let plan) = $0 { plan.isManaged == isManaged } else { false }
                })
        }
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
