import SessionMachine
import Testing
import Vocabulary

struct SignInTests {
    @Test func `the epoch is journalled before the answer and before SignedIn`() {
        let session = Session()
        #expect(session.signIn() == .signedIn(1, Session.ana))
        #expect(session.records.contains { if case .began(1, Session.ana, _) = $0 { true } else { false } })
        #expect(session.effects.contains(.announce(.signedIn(1, Session.ana))))
    }

    @Test func `the gate is closed in every phase but ready`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        #expect(session.call { .signIn($0, ":1.1") }?.refusal == .signingIn)
        session.call { .cancelSignIn($0, ":1.0", privileged: false) }
        session.signIn()
        session.register(Session.till, ":1.1")
        session.signOut()
        #expect(session.call { .signIn($0, ":1.0") }?.refusal == .signingOut)
    }

    @Test func `without the required agent nobody signs in`() {
        let session = Session(agent: false)
        #expect(session.signIn()?.refusal == .agentMissing)
    }

    @Test func `the same worker may prove themselves again, another one changes nothing`() {
        let session = Session()
        session.signIn()
        #expect(session.signIn(Session.ana) == .signedIn(1, Session.ana))
        #expect(session.signIn(Session.ben)?.refusal == .accountMismatch)
        #expect(session.machine.holder == Session.ana)
        #expect(session.machine.epoch == 1)
    }

    @Test func `a plan says who asked, and whom a second sign-in must match`() {
        let session = Session()
        session.call { .signIn($0, ":1.7") }
        let first = session.signInPlan
        #expect(first?.attempt == 1 && first?.sender == ":1.7" && first?.holder == nil)
        session.feed(.signInSucceeded(1, Session.ana))
        session.call { .signIn($0, ":1.8") }
        let second = session.signInPlan
        #expect(second?.attempt == 2 && second?.sender == ":1.8" && second?.holder == Session.ana)
    }

    @Test func `a sign-out while signing in cancels it, whichever comes first`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        #expect(session.signOut() == .signedOut(0, nil))
        #expect(session.answer(back: 1)?.refusal == .canceled(.bySignOut))
        session.feed(.signInSucceeded(1, Session.ana))
        #expect(session.machine.phase == .ready)
    }

    @Test func `only its caller, the agent and administrators cancel a sign-in`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        #expect(session.call { .cancelSignIn($0, ":1.5", privileged: false) }?.refusal == .notAuthorizedToCancel)
        #expect(session.call { .cancelSignIn($0, ":1.5", privileged: true) } == .done)
        #expect(session.call { .cancelSignIn($0, ":1.0", privileged: false) }?.refusal == .notSigningIn)
    }

    @Test func `another's attempt gives way to the worker at the start page, and not to others`() {
        let session = Session()
        session.call { .signIn($0, ":1.5") }
        #expect(session.call { .signIn($0, ":1.6") }?.refusal == .signingIn)
        #expect(session.call { .signIn($0, ":1.0", comesFirst: true) } == nil)
        #expect(session.answer(back: 2)?.refusal == .canceled(.byAgentOrAdministrator))
        #expect(session.effects.contains(.abandon(1)) && session.signInPlan?.attempt == 2)
        // The page itself waits for its own, and a second sign-in gives way like the first.
        #expect(session.call { .signIn($0, ":1.0", comesFirst: true) }?.refusal == .signingIn)
        session.feed(.signInSucceeded(2, Session.ana))
        session.call { .signIn($0, ":1.5") }
        session.call { .signIn($0, ":1.0", comesFirst: true) }
        #expect(session.answer(back: 1)?.refusal == .canceled(.byAgentOrAdministrator))
        #expect(session.signInPlan?.holder == Session.ana)
    }

    @Test func `leaving the bus and the time-out cancel it`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        session.feed(.disconnected(":1.0"))
        #expect(session.answer()?.refusal == .canceled(.byCaller))
        session.call { .signIn($0, ":1.0") }
        session.pass(milliseconds: 300_000)
        #expect(session.answer()?.refusal == .canceled(.timedOut))
        #expect(session.machine.phase == .ready)
    }

    @Test func `a failed sign-in keeps the gate shut until its page is closed`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.feed(.signInFailed(1, .providerRejected("no")))
        #expect(session.answer()?.refusal == .providerRejected("no"))
        #expect(session.asks(.signInBrowserClosed))
        #expect(session.machine.phase == .signingIn)
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(session.machine.phase == .ready)
    }

    @Test func `the browser of a sign-in becomes the worker's, and only that of a second one is closed`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.feed(.signInSucceeded(1, Session.ana))
        #expect(!session.asks(.signInBrowserClosed))
        #expect(session.begins(1))
        for (attempt, worker) in [(2, Session.ana), (3, Session.ben)] as [(Attempt, TurnAccount)] {
            session.call { .signIn($0, ":1.0") }
            session.feed(.signInUsesBrowser(attempt))
            session.feed(.signInSucceeded(attempt, worker))
            #expect(session.asks(.signInBrowserClosed))
            #expect(!session.begins(1))
        }
        #expect(session.machine.phase == .inUse)
    }

    @Test func `an agent that comes in the middle of a turn is handed it, and none whose end has begun`() {
        let session = Session()
        session.signIn()
        session.agentLeaves()
        session.agentComes()
        #expect(session.begins(1))
        session.signOut()
        session.agentLeaves()
        session.agentComes()
        #expect(!session.begins(1))
        session.finish()
        session.agentLeaves()
        session.agentComes()
        #expect(!session.begins(1))
    }

    @Test func `a page that cannot be closed quarantines, until it is`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.feed(.signInFailed(1, .providerRejected("no")))
        session.agentSays(.signInBrowserClosed(clean: false))
        #expect(session.machine.phase == .quarantined)
        session.agentComes()
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(session.machine.phase == .ready)
    }

    @Test func `an agent lost with a sign-in page takes that sign-in with it`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.agentLeaves()
        #expect(session.answer()?.refusal?.name == "UserCanceled")
        #expect(session.machine.phase == .quarantined)
    }

    @Test func `the previous account is that of the last ended epoch, over sign-ins and restarts`() {
        let session = Session()
        #expect(session.machine.previous(at: session.moment) == nil)
        for worker in [Session.ana, Session.ben] {
            session.signIn(worker)
            session.signOut()
            session.finish()
            #expect(session.machine.previous(at: session.moment) == worker)
        }
        session.signIn(Session.ana)
        session.restart()
        #expect(session.machine.previous(at: session.moment) == Session.ben)
    }

    @Test func `a wiped account is nobody's previous one, and only its own turn's is forgotten`() {
        let session = Session()
        session.signIn()
        session.signOut()
        session.finish()
        #expect(session.call { .forgetPrevious($0, 0) } == .done)
        #expect(session.machine.previous(at: session.moment) == Session.ana)
        #expect(session.call { .forgetPrevious($0, 1) } == .done)
        #expect(session.machine.previous(at: session.moment) == nil)
        #expect(session.call { .forgetPrevious($0, 1) } == .done)
    }

    @Test func `the previous account is remembered as long as the settings say`() {
        let session = Session { $0.remembersPrevious = .duration(3_600_000_000) }
        session.signIn()
        session.signOut()
        session.finish()
        #expect(session.machine.previous(at: session.moment) == Session.ana)
        session.wall += 3_600_000_000
        #expect(session.machine.previous(at: session.moment) == nil)
        let off = Session { $0.remembersPrevious = .off }
        off.signIn()
        off.signOut()
        off.finish()
        #expect(off.machine.previous(at: off.moment) == nil)
    }

    @Test func `a worker who wipes their account is nobody's previous one, and nobody else is forgotten for it`() {
        let session = Session()
        session.signIn(Session.ana)
        let epoch = session.machine.epoch
        session.signOut()
        session.finish()
        #expect(session.call { .forgetPrevious($0, epoch.next) } == .done)
        #expect(session.machine.previous(at: session.moment) == Session.ana)
        #expect(session.call { .forgetPrevious($0, epoch) } == .done)
        #expect(session.machine.previous(at: session.moment) == nil)
        session.restart()
        #expect(session.machine.previous(at: session.moment) == nil)
    }

    @Test func `a personal device shares nothing`() {
        let session = Session()
        session.call { .setMode($0, .personal) }
        #expect(session.signIn()?.refusal == .notShared)
        #expect(session.signOut()?.refusal == .notShared)
        #expect(session.call { .keepSignedIn($0) }?.refusal == .notShared)
    }

    @Test func `leaving shared mode runs a barrier first`() {
        let session = Session()
        session.signIn()
        #expect(session.call { .setMode($0, .personal) } == nil)
        #expect(session.machine.phase == .clearing)
        session.finish()
        #expect(session.answer() == .done)
        #expect(session.machine.mode == .personal)
    }
}
