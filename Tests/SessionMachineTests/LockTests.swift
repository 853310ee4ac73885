import SessionMachine
import Testing
import Vocabulary

struct LockTests {
    /// A turn of a worker with a PIN.
    func turn(_ change: (inout Policy) -> Void = { _ in }) -> Session {
        let session = Session { policy in
            policy.workersHavePINs = true
            policy.lockGrace = 300_000_000
            change(&policy)
        }
        session.signIn()
        return session
    }

    func lock(_ session: Session, hasPIN: Bool = true) -> Answer? {
        let call = session.call { .lock($0, hasPIN: hasPIN) }
        if call != nil { return call }
        session.agentSays(.locked(session.machine.epoch, isCovered: true, lasts: true))
        return session.answer()
    }

    func unlock(_ session: Session, _ refusal: Refusal? = nil) -> Answer? {
        if let answer = session.call({ .unlock($0, ":1.5") }) { return answer }
        guard let attempt = session.signInPlan?.attempt else { return nil }
        session.feed(refusal.map { .signInFailed(attempt, $0) } ?? .signInSucceeded(attempt, Session.ana))
        return session.answer()
    }

    @Test func `a lock is answered when the screen is covered, and a PIN opens it`() {
        let session = turn()
        #expect(session.call { .lock($0, hasPIN: true) } == nil)
        guard case .lock(let plan) = session.asked.last else {
            Issue.record("the agent was not asked")
            return
        }
        #expect(plan.epoch == 1 && plan.holder == Session.ana && plan.hasPIN)
        #expect(plan.until == session.now + 300_000_000)
        session.agentSays(.locked(1, isCovered: true))
        #expect(session.answer() == .done)
        #expect(session.machine.deadline == plan.until)
        #expect(unlock(session) == .done)
        #expect(session.asked.last == .unlock(1))
        #expect(session.machine.lock == nil && session.machine.phase == .inUse && session.machine.deadline == 0)
        // Until the agent has done so, the two orders could change places.
        #expect(lock(session) == .refused(.unlocking))
        session.agentSays(.unlocked(1))
        #expect(lock(session) == .done)
        #expect(unlock(session) == .done)
        session.agentSays(.unlocked(1))
        session.pass(milliseconds: 400_000)
        #expect(session.machine.phase == .inUse)
    }

    @Test func `a lock that lasts too long is a sign-out, and so are five wrong PINs`() {
        let patient = turn()
        #expect(lock(patient) == .done)
        patient.pass(milliseconds: 299_999)
        #expect(patient.machine.phase == .inUse)
        patient.pass(milliseconds: 1)
        #expect(patient.barrier?.reason == .lock)

        let guessed = turn()
        #expect(lock(guessed) == .done)
        for _ in 1...4 {
            #expect(unlock(guessed, .wrongCredentials) == .refused(.wrongCredentials))
            #expect(guessed.machine.phase == .inUse && guessed.machine.lock != nil)
        }
        // What is no PIN counts for none.
        #expect(unlock(guessed, .journalFailed) == .refused(.journalFailed))
        #expect(guessed.machine.phase == .inUse)
        // A batond that is started anew gives no further tries.
        guessed.restart()
        guessed.agentComes()
        #expect(unlock(guessed, .wrongCredentials) == .refused(.wrongCredentials))
        #expect(guessed.barrier?.reason == .lock)
    }

    @Test func `a screen that cannot be covered is not locked`() {
        let session = turn()
        #expect(session.call { .lock($0, hasPIN: true) } == nil)
        session.agentSays(.locked(1, isCovered: false))
        #expect(session.answer() == .refused(.notCovered))
        #expect(session.machine.lock == nil && session.machine.phase == .inUse)
    }

    @Test func `a locked screen that is open again ends the turn`() {
        let session = turn()
        #expect(lock(session) == .done)
        session.agentLeaves()
        session.agentComes()
        #expect(session.asked.contains { if case .lock(let plan) = $0 { plan.epoch == 1 } else { false } })
        session.agentSays(.locked(1, isCovered: false))
        #expect(session.barrier?.reason == .lock)
    }

    @Test func `a lock that goes with its agent ends the turn when the agent is gone`() {
        let session = turn()
        #expect(session.call { .lock($0, hasPIN: true) } == nil)
        session.agentSays(.locked(1, isCovered: true, lasts: false))
        #expect(session.answer() == .done)
        session.agentLeaves()
        #expect(session.barrier?.reason == .lock)
    }

    @Test func `a lock outlives batond and the agent, and the next agent covers before it shows the turn`() {
        let session = turn()
        #expect(lock(session) == .done)
        session.restart()
        #expect(session.machine.lock != nil && session.machine.isLockProven)
        session.agentComes()
        let order = session.asked.suffix(3).map { request in
            switch request {
            case .lock: "lock"
            case .beginTurn: "begin"
            default: "other"
            }
        }
        #expect(
            order.firstIndex(of: "lock").map { lock in order.firstIndex(of: "begin").map { lock < $0 } ?? true } == true
        )
        session.agentSays(.locked(1, isCovered: true))
        #expect(unlock(session) == .done)
    }

    @Test func `a worker without a PIN chooses one, which the next batond does not know`() {
        let session = turn { $0.workersHavePINs = false }
        #expect(lock(session, hasPIN: false) == .refused(.pinRequired))
        #expect(lock(session) == .done)
        session.restart()
        session.agentComes()
        guard case .lock(let plan) = session.asked.last(where: { if case .lock = $0 { true } else { false } }) else {
            Issue.record("the agent was not asked")
            return
        }
        #expect(!plan.hasPIN)
        session.agentSays(.locked(1, isCovered: true))
        #expect(unlock(session) == .refused(.pinForgotten))
        session.signOut()
        #expect(session.barrier?.reason == .user)
    }

    @Test func `where no worker holds the device, nothing is locked or opened`() {
        let session = Session { $0.workersHavePINs = true }
        #expect(lock(session) == .refused(.notSignedIn))
        #expect(unlock(session) == .refused(.notSignedIn))
        session.signIn()
        #expect(unlock(session) == .refused(.notLocked))
        session.agentLeaves()
        #expect(lock(session) == .refused(.agentMissing))
    }

    @Test func `a sign-out takes the place of a lock, and a caller that waits for one hears of it`() {
        let session = turn()
        #expect(session.call { .lock($0, hasPIN: true) } == nil)
        session.signOut()
        #expect(session.answer(back: 1) == .refused(.signingOut))
        session.agentSays(.locked(1, isCovered: true))
        #expect(session.machine.lock == nil && session.machine.phase == .clearing)
        session.finish()
        session.signIn(Session.ben)
        #expect(session.machine.lock == nil)
    }

    @Test func `an unlock that meets the begin of a sign-out opens nothing`() {
        let session = turn()
        #expect(lock(session) == .done)
        #expect(session.call { .unlock($0, ":1.5") } == nil)
        guard let attempt = session.signInPlan?.attempt else {
            Issue.record("the PIN was not looked at")
            return
        }
        session.signOut()
        session.feed(.signInSucceeded(attempt, Session.ana))
        #expect(session.machine.phase == .clearing)
        #expect(!session.asked.contains(.unlock(1)))
    }

    @Test func `a caller that waits for a lock hears of an unlock that comes first`() {
        let session = turn()
        #expect(session.call { .lock($0, hasPIN: true) } == nil)
        #expect(session.call { .unlock($0, ":1.5") } == nil)
        if let attempt = session.signInPlan?.attempt { session.feed(.signInSucceeded(attempt, Session.ana)) }
        #expect(session.answer() == .done && session.answer(back: 1) == .refused(.unlocking))
        #expect(session.machine.lock == nil)
    }

    @Test func `while the device clears, nothing is locked`() {
        let session = turn()
        session.signOut()
        #expect(session.machine.phase == .clearing)
        #expect(lock(session) == .refused(.signingOut))
        #expect(!session.asked.contains { if case .lock = $0 { true } else { false } })
    }

    @Test func `a device that has been idle for too long already is counted down, and not locked until then`() {
        let session = turn { policy in
            (policy.idle, policy.countdown, policy.lock) = (120_000_000, 20_000_000, 60_000_000)
        }
        session.pass(milliseconds: 300_000)
        session.agentSays(.idle(1, since: session.now - 200_000_000))
        #expect(session.machine.phase == .inUse && session.machine.lock == nil)
        #expect(session.machine.deadline == session.now + 20_000_000)
    }

    @Test func `who comes back without a touch is not locked out again`() {
        let (session, since) = idle { $0.idle = 900_000_000 }
        session.agentSays(.locked(1, isCovered: true))
        session.pass(milliseconds: 120_000)
        session.agentSays(.idle(1, since: since))
        #expect(unlock(session) == .done)
        session.agentSays(.unlocked(1))
        session.pass(milliseconds: 1)
        #expect(session.machine.lock == nil)
    }

    @Test func `another worker's PIN opens nothing`() {
        let session = turn()
        #expect(lock(session) == .done)
        #expect(session.call { .unlock($0, ":1.5") } == nil)
        if let attempt = session.signInPlan?.attempt { session.feed(.signInSucceeded(attempt, Session.ben)) }
        #expect(session.answer() == .refused(.accountMismatch))
        #expect(session.machine.lock != nil)
    }

    // MARK: By itself

    func idle(_ change: (inout Policy) -> Void = { _ in }) -> (Session, since: UInt64) {
        let session = turn { policy in
            policy.idle = 120_000_000
            policy.countdown = 20_000_000
            policy.lock = 60_000_000
            change(&policy)
        }
        session.pass(milliseconds: 60_000)
        let since = session.now - 60_000_000
        session.agentSays(.idle(1, since: since))
        return (session, since)
    }

    @Test func `a screen that is not touched is locked, and its worker signed out when they are idle for long enough`()
    {
        let (session, since) = idle()
        guard case .lock(let plan) = session.asked.last else {
            Issue.record("the agent was not asked")
            return
        }
        #expect(plan.until == since + 120_000_000)
        session.agentSays(.locked(1, isCovered: true))
        // Whoever touches a locked screen is not yet its worker.
        session.agentSays(.idle(1, since: nil))
        session.pass(milliseconds: 60_000)
        #expect(session.barrier?.reason == .lock)
    }

    @Test func `where it cannot be locked, the countdown comes when it would have come`() {
        for (session, since) in [idle { $0.workersHavePINs = false }, idle()] {
            if session.machine.lock != nil { session.agentSays(.locked(1, isCovered: false)) }
            #expect(session.machine.lock == nil)
            session.agentSays(.idle(1, since: since))
            #expect(session.machine.deadline == 0)
            session.pass(milliseconds: 40_000)
            #expect(session.machine.deadline == since + 120_000_000)
            session.pass(milliseconds: 20_000)
            #expect(session.barrier?.reason == .idle)
        }
    }

    @Test func `input before it is locked puts it off`() {
        let session = turn { $0.lock = 60_000_000 }
        session.pass(milliseconds: 59_000)
        session.agentSays(.idle(1, since: session.now - 59_000_000))
        session.agentSays(.idle(1, since: nil))
        session.pass(milliseconds: 60_000)
        #expect(session.machine.lock == nil)
    }
}
