import SessionMachine
import Testing
import Vocabulary

struct LockTests {
    /// A turn of a worker with a PIN.
    private func turn(_ change: (inout Policy) -> Void = { _ in }) -> Session {
        let session = Session { policy in
            policy.workersHavePINs = true
            policy.lockGrace = 300_000_000
            change(&policy)
        }
        session.signIn()
        return session
    }

    private func lock(_ session: Session, hasPIN: Bool = true) -> Answer? {
        let call = session.call { .lock($0, hasPIN: hasPIN) }
        if call != nil { return call }
        session.agentSays(.locked(session.machine.epoch, isCovered: true, lasts: true))
        return session.answer()
    }

    private func unlock(_ session: Session, _ refusal: Refusal? = nil) -> Answer? {
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

    @Test func `another worker's PIN opens nothing`() {
        let session = turn()
        #expect(lock(session) == .done)
        #expect(session.call { .unlock($0, ":1.5") } == nil)
        if let attempt = session.signInPlan?.attempt { session.feed(.signInSucceeded(attempt, Session.ben)) }
        #expect(session.answer() == .refused(.accountMismatch))
        #expect(session.machine.lock != nil)
    }

    // MARK: By phone

    /// The screen of a worker without a PIN, who comes back by phone.
    private func lockedForPhone() -> Session {
        let session = turn { policy in
            policy.workersHavePINs = false
            policy.comesBackByPhone = true
        }
        #expect(lock(session, hasPIN: false) == .refused(.pinRequired))
        #expect(session.call { .lock($0, hasPIN: false, withoutPIN: true) } == nil)
        session.agentSays(.locked(1, isCovered: true))
        #expect(session.answer() == .done)
        return session
    }

    /// - Returns: The attempt that waits for the phone.
    private func ask(_ session: Session, _ sender: Sender = ":1.5", comesFirst: Bool = false) -> Attempt? {
        guard session.call({ .unlock($0, sender, by: .phone(comesFirst: comesFirst)) }) == nil else { return nil }
        return session.signInPlan?.attempt
    }

    @Test func `a worker locks without a PIN where they can come back by phone, and nowhere else`() throws {
        let session = lockedForPhone()
        guard case .lock(let plan) = session.asked.last else {
            Issue.record("the agent was not asked")
            return
        }
        #expect(!plan.hasPIN && plan.hasPhone)
        #expect(unlock(session) == .refused(.pinForgotten))
        let attempt = try #require(ask(session))
        #expect(session.signInPlan?.holder == Session.ana)
        session.feed(.signInSucceeded(attempt, Session.ana))
        #expect(session.answer() == .done && session.machine.lock == nil)
        #expect(session.asked.last == .unlock(1))

        let other = turn { $0.workersHavePINs = false }
        #expect(other.call { .lock($0, hasPIN: false, withoutPIN: true) } == .refused(.pinRequired))
        #expect(lock(other) == .done)
        #expect(other.call { .unlock($0, ":1.5", by: .phone(comesFirst: true)) } == .refused(.noPhones))
    }

    @Test func `another account, a refusal and an expiry open nothing and are no wrong PINs`() throws {
        let session = lockedForPhone()
        for _ in 1...6 {
            session.feed(.signInSucceeded(try #require(ask(session)), Session.ben))
            #expect(session.answer() == .refused(.accountMismatch))
            session.feed(.signInFailed(try #require(ask(session)), .canceled(.codeExpired)))
            #expect(session.answer() == .refused(.canceled(.codeExpired)))
        }
        #expect(session.machine.lock?.tries == 0 && session.machine.phase == .inUse)
        session.feed(.signInSucceeded(try #require(ask(session)), Session.ana))
        #expect(session.machine.lock == nil)
    }

    @Test func `a phone that is waited for keeps no PIN away, and comes too late after one`() throws {
        let session = turn { $0.comesBackByPhone = true }
        #expect(lock(session) == .done)
        let phone = try #require(ask(session))
        #expect(session.call { .unlock($0, ":1.6") } == nil)
        #expect(session.answer(back: 1) == .refused(.canceled(.byAgentOrAdministrator)))
        let pin = try #require(session.signInPlan?.attempt)
        session.feed(.signInSucceeded(phone, Session.ana))
        #expect(session.machine.lock != nil)
        session.feed(.signInFailed(pin, .wrongCredentials))
        #expect(session.machine.lock?.tries == 1)
    }

    @Test func `the lock's own attempt by phone takes the place of a program's, and not the other way round`() throws {
        let session = lockedForPhone()
        let program = try #require(ask(session))
        let own = try #require(ask(session, ":1.9", comesFirst: true))
        #expect(session.answer(back: 1) == .refused(.canceled(.byAgentOrAdministrator)))
        #expect(
            session.call { .unlock($0, ":1.5", by: .phone(comesFirst: false)) } == .refused(.unlocking))
        session.feed(.signInSucceeded(program, Session.ana))
        #expect(session.machine.lock != nil)
        session.feed(.signInSucceeded(own, Session.ana))
        #expect(session.machine.lock == nil)
    }

    @Test func `the grace of a lock ends while a phone is waited for`() throws {
        let session = lockedForPhone()
        let attempt = try #require(ask(session))
        session.pass(milliseconds: 300_000)
        #expect(session.barrier?.reason == .lock)
        session.feed(.signInSucceeded(attempt, Session.ana))
        #expect(session.machine.phase == .clearing && !session.asked.contains(.unlock(1)))
    }

    @Test func `a screen locks itself for a worker without a PIN who can come back by phone`() {
        let (session, _) = idle { policy in
            policy.workersHavePINs = false
            policy.comesBackByPhone = true
        }
        guard case .lock(let plan) = session.asked.last else {
            Issue.record("the agent was not asked")
            return
        }
        #expect(!plan.hasPIN && plan.hasPhone)
    }

    // MARK: By itself

    private func idle(_ change: (inout Policy) -> Void = { _ in }) -> (Session, since: UInt64) {
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
