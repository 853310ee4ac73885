import SessionMachine
import Testing
import Vocabulary

struct QuarantineTests {
    private func quarantined() throws -> (Session, Instance) {
        let session = Session()
        session.signIn()
        let instance = try #require(session.register(Session.till, ":1.1")).instance
        session.signOut()
        session.pass(milliseconds: 5000)
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .failed)))
        session.finish()
        try #require(session.machine.phase == .quarantined)
        return (session, instance)
    }

    @Test func `the last missing acknowledgement releases, after the shared holders were cleared once more`() throws {
        let (session, instance) = try quarantined()
        #expect(session.acknowledge(1, instance, ":1.1") == .done)
        #expect(session.machine.phase == .quarantined)
        #expect(session.asks(.sharedHoldersCleared(1)))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .ready)
        #expect(session.records.contains { if case .released(1, let how) = $0 { how.by == .retry } else { false } })
    }

    /// One that batond ended because it was silent is started anew at once, and can then do what the first could not.
    @Test func `a sign-out waits for an agent that has just ended, and for its try`() throws {
        let (session, instance) = try quarantined()
        session.agentLeaves()
        #expect(session.signOut() == nil)
        session.agentComes()
        #expect(session.contained(Session.till) == [instance])
        #expect(session.answer() == nil)
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .contained, instances: [instance])))
        session.finish()
        #expect(session.answer()?.receipt?.release?.by == .retry)
        #expect(session.machine.phase == .ready)
    }

    @Test func `a sign-out waits no longer for an agent than the settings let it be away`() throws {
        let (session, _) = try quarantined()
        session.agentLeaves()
        #expect(session.signOut() == nil)
        session.pass(milliseconds: session.machine.policy.agentGrace / 1000 - 1)
        #expect(session.answer() == nil)
        session.pass(milliseconds: 2)
        #expect(session.answer()?.receipt?.outcome == .quarantined)
        #expect(session.signOut()?.receipt?.outcome == .quarantined)
    }

    @Test func `a sign-out tries again, at most once in five seconds`() throws {
        let (session, instance) = try quarantined()
        session.signOut()
        #expect(session.contained(Session.till) == [instance])
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .failed)))
        #expect(session.answer()?.receipt?.outcome == .quarantined)
        #expect(session.signOut()?.receipt?.outcome == .quarantined)
        #expect(session.contained(Session.till) == nil)
        session.pass(milliseconds: 5000)
        session.signOut()
        #expect(session.contained(Session.till) == [instance])
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .contained, instances: [instance])))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .ready)
    }

    @Test func `an agent that comes back tries again what it was asked before`() throws {
        let (session, instance) = try quarantined()
        session.signOut()
        session.agentLeaves()
        session.agentComes()
        #expect(session.contained(Session.till) == [instance])
    }

    @Test func `an administrator ends it, and what was not proven becomes a debt`() throws {
        let (session, _) = try quarantined()
        guard case .receipt(let receipt) = session.call({ .endQuarantine($0) }) else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt?.release?.by == .administrator)
        #expect(session.machine.phase == .ready)
        #expect(session.owed(Session.till) == 1)
        #expect(session.machine.mustClear(":1.1") == 1)
        #expect(session.call { .endQuarantine($0) }?.refusal == .notQuarantined)
    }

    /// The agent was stopped: it says nothing of the browser.
    private func withWorkersPage(agentRequired: Bool = true) -> Session {
        let session = Session { $0.agentRequired = agentRequired }
        session.signIn()
        session.signOut()
        session.pass(milliseconds: 10_000)
        return session
    }

    @Test func `a reset makes nothing ready whose browser has not ended`() {
        let session = withWorkersPage()
        #expect(session.machine.phase == .quarantined)
        #expect(session.call { .endQuarantine($0) } == nil)
        #expect(session.asks(.browserSignedOut(1)))
        session.agentSays(.browserSignedOut(1, .failed, "still there"))
        session.pass(milliseconds: 10_000)
        #expect(session.answer()?.refusal == .notEnded)
        session.agentLeaves()
        #expect(session.call { .endQuarantine($0) }?.refusal == .notEnded)
        #expect(session.machine.phase == .quarantined)
    }

    @Test func `a reset ends the browser first, and what else is not proven after it`() {
        let session = withWorkersPage()
        #expect(session.call { .endQuarantine($0) } == nil)
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.agentSays(.sharedHoldersCleared(1, [Barrier.Check(name: "keyring", outcome: .failed)]))
        guard case .receipt(let receipt) = session.answer() else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt?.release?.by == .administrator)
        #expect(session.machine.phase == .ready)
    }

    @Test func `a device that does without an agent can be reset without one`() {
        let session = withWorkersPage(agentRequired: false)
        #expect(session.machine.phase == .quarantined)
        session.agentLeaves()
        guard case .receipt(let receipt) = session.call({ .endQuarantine($0) }) else {
            Issue.record("no receipt")
            return
        }
        #expect(receipt?.release != nil && session.machine.phase == .ready)
    }

    @Test func `neither reset nor sign-out leaves a sign-in's page open`() {
        let session = Session()
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.feed(.signInFailed(1, .failed))
        session.agentSays(.signInBrowserClosed(clean: false))
        #expect(session.machine.phase == .quarantined)
        #expect(session.call { .endQuarantine($0) } == nil)
        session.agentSays(.signInBrowserClosed(clean: false))
        #expect(session.answer()?.refusal == .notEnded)
        // The caller hears what has come of it.
        #expect(session.signOut() == nil)
        session.agentLeaves()
        #expect(session.answer() == .signedOut(0, nil))
        session.signOut()
        #expect(session.machine.phase == .quarantined)
        session.agentComes()
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(session.machine.phase == .ready)
    }

    @Test func `an answer that comes late makes up for what was missing`() {
        let session = withWorkersPage()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .ready)
    }

    @Test func `a retry that nobody answers ends`() throws {
        let (session, _) = try quarantined()
        session.signOut()
        session.pass(milliseconds: 10_000)
        #expect(session.answer()?.receipt?.outcome == .quarantined)
    }

    @Test func `a retry stops nobody who answered, though another process of the app ended without a word`() throws {
        let session = Session()
        session.signIn()
        let old = try #require(session.register(Session.till, ":1.1", pid: 10)).instance
        session.signOut()
        session.feed(.disconnected(":1.1"))
        session.pass(milliseconds: 1500)
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .failed)))
        let new = try #require(session.register(Session.till, ":1.2", pid: 11)).instance
        #expect(session.acknowledge(1, new, ":1.2") == .done)
        session.feed(.processExited(old))
        session.finish()
        #expect(session.machine.phase == .quarantined)

        session.signOut()
        #expect(session.contained(Session.till) == [])
        session.agentSays(.contained(Session.till, Containment(epoch: 1, outcome: .contained, instances: [])))
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(session.machine.phase == .ready)
        // What the other wrote last may still be in the memory of this one.
        #expect(session.machine.mustClear(":1.2") == 1)
        #expect(session.owed(Session.till) == 1)
    }
}
