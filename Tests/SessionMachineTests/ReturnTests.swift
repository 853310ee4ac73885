import MachineTesting
import SessionMachine
import Testing
import Vocabulary

/// What comes back in the middle of a barrier or after it: agent, display, browser.
struct ReturnTests {
    /// The machine lost its power in a turn; this is the next boot, whose clock begins anew.
    private func rebooted() throws -> Session {
        let session = Session { $0.pagePatience = 30_000_000 }
        session.agentSays(.startPage(isShown: true))
        session.signIn()
        _ = try #require(session.register(Session.notes, ":1.1"))
        session.now = 5_000_000
        session.restart(bus: "bus2", boot: "boot2")
        try #require(session.machine.phase == .clearing)
        return session
    }

    /// The agent waits 15 seconds for the display and goes on without; when it is there, another agent takes its place.
    @Test(arguments: [0, 8, 17, 30, 90] as [UInt64])
    func `a display that comes after a power cut makes the terminal ready, however late`(seconds: UInt64) throws {
        let session = try rebooted()
        let patience = min(seconds, 15)
        session.pass(milliseconds: patience * 1000)
        session.agentComes()
        if seconds > 15 {
            // Without a display no browser shows its page, as it finds after its own time.
            let left = (seconds - 15) * 1000
            session.pass(milliseconds: min(left, 1000))
            session.agentSays(.browserSignedOut(1, .failed, "no display"))
            if left > 1000 {
                session.agentSays(.sharedHoldersCleared(1, []))
                session.pass(milliseconds: left - 1000)
            }
            session.agentLeaves()
            session.pass(milliseconds: 1000)
            session.agentComes()
        }
        #expect(session.asks(.browserSignedOut(1)))
        session.finish()
        session.agentSays(.startPage(isShown: true))
        #expect(session.machine.phase == .ready)
        #expect(session.machine.missing == nil)
    }

    /// It registers when the first has failed already and the barrier has not ended.
    @Test(arguments: [1000, 4000, 9000, 9999] as [UInt64])
    func `what an agent's successor finds missing is tried again, in the barrier or after it`(milliseconds: UInt64)
        throws
    {
        let session = try rebooted()
        session.agentComes()
        session.agentSays(.browserSignedOut(1, .failed, "no display"))
        session.agentLeaves()
        session.pass(milliseconds: milliseconds)
        session.agentComes()
        // It answers when its own browser is there.
        session.pass(milliseconds: 6000)
        session.finish()
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .ready)
    }

    @Test
    func
        `a page that comes between its failure and the end of the sign-out, or of another try, is a reason to try again`()
        throws
    {
        let session = try rebooted()
        session.agentComes()
        session.agentSays(.browserSignedOut(1, .failed, "no browser showed it in time"))
        session.agentSays(.startPage(isShown: true))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.asks(.browserSignedOut(1)))
        // While that try runs it goes and comes again.
        session.agentSays(.startPage(isShown: false))
        session.agentSays(.startPage(isShown: true))
        session.agentSays(.browserSignedOut(1, .failed, "no browser showed it in time"))
        #expect(session.asks(.browserSignedOut(1)))
        // And a third time: the page was there all the while, so that there is nothing new.
        session.agentSays(.browserSignedOut(1, .failed, "still there"))
        #expect(session.machine.phase == .quarantined && !session.asks(.browserSignedOut(1)))
        session.agentSays(.startPage(isShown: false))
        session.agentSays(.startPage(isShown: true))
        session.finish()
        #expect(session.machine.phase == .ready)
    }

    @Test func `an agent that dies in a try takes the page with it, and the administrator has an answer`() throws {
        let session = try rebooted()
        session.agentComes()
        session.agentSays(.browserSignedOut(1, .failed, "no browser showed it in time"))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .quarantined)
        #expect(session.call { .endQuarantine($0) } == nil)
        session.agentSays(.startPage(isShown: true))
        session.agentLeaves()
        #expect(session.answer()?.refusal == .notEnded)
    }

    @Test func `a browser that is back after the quarantine began is a reason to try again`() throws {
        let session = try rebooted()
        session.agentComes()
        session.agentSays(.browserSignedOut(1, .failed, "no browser showed it in time"))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .quarantined)
        session.agentSays(.startPage(isShown: true))
        #expect(session.asks(.browserSignedOut(1)))
        // Failed again with the page there: nothing new, so no other try.
        session.agentSays(.browserSignedOut(1, .failed, "still there"))
        session.pass(milliseconds: 10_000)
        session.agentSays(.startPage(isShown: true))
        #expect(!session.asks(.browserSignedOut(1)))
        session.agentSays(.startPage(isShown: false))
        session.agentSays(.startPage(isShown: true))
        session.finish()
        #expect(session.machine.phase == .ready)
    }
}

/// Ready needs a painted page where a browser is managed.
struct StartPageTests {
    private func session() -> Session { Session { $0.pagePatience = 30_000_000 } }

    @Test func `a free device without its page says what is missing, and is quarantined when its time is over`() {
        let session = session()
        #expect(session.machine.missing != nil)
        session.pass(milliseconds: 29_000)
        #expect(session.machine.phase == .ready && session.machine.missing != nil)
        session.pass(milliseconds: 1000)
        #expect(session.machine.phase == .quarantined)
        #expect(session.machine.quarantineExplanation?.text.contains("start page") == true)
        #expect(session.signIn()?.refusal == .quarantined)
        // Neither of them puts a page on the screen.
        #expect(session.call { .endQuarantine($0) }?.refusal == .pageMissing)
        session.signOut()
        #expect(session.machine.phase == .quarantined)
        session.agentSays(.startPage(isShown: true))
        #expect(session.machine.phase == .ready && session.machine.missing == nil)
    }

    @Test func `a page that was painted before its agent is known counts, and one that goes is missed`() {
        let session = Session(agent: false) { $0.pagePatience = 30_000_000 }
        session.agentArrives()
        session.agentSays(.startPage(isShown: true))
        session.feed(.agentRegistered(session.agents))
        #expect(session.machine.missing == nil)
        session.agentSays(.startPage(isShown: false))
        #expect(session.machine.missing != nil)
        session.agentLeaves()
        #expect(session.machine.missing == nil)
        session.agentComes()
        #expect(session.machine.missing != nil)
    }

    @Test func `a quarantine for a page does not end with the agent, but with settings that want no browser`() {
        let session = session()
        session.pass(milliseconds: 30_000)
        session.agentLeaves()
        #expect(session.machine.phase == .quarantined)
        session.feed(.policyChanged(.ordinary))
        #expect(session.machine.phase == .ready)
    }

    @Test func `a worker's own pages are not missed, nor is a browser that nobody manages`() {
        let session = session()
        session.signIn()
        session.pass(milliseconds: 60_000)
        #expect(session.machine.phase == .inUse && session.machine.missing == nil)
        let other = Session()
        other.pass(milliseconds: 60_000)
        #expect(other.machine.phase == .ready && other.machine.missing == nil)
    }
}
