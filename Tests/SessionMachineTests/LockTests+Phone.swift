import SessionMachine
import Testing
import Vocabulary

/// A worker who comes back at the identity provider, with another device.
extension LockTests {
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

    /// What the agent was asked for last, if that is a lock.
    private func newestOrder(_ session: Session) -> LockPlan? {
        guard case .lock(let plan) = session.asked.last else { return nil }
        return plan
    }

    /// - Returns: The attempt that waits for the phone.
    private func ask(_ session: Session, _ sender: Sender = ":1.5", comesFirst: Bool = false) -> Attempt? {
        guard session.call({ .unlock($0, sender, by: .phone(comesFirst: comesFirst)) }) == nil else { return nil }
        return session.signInPlan?.attempt
    }

    @Test func `a worker locks without a PIN where they can come back by phone, and nowhere else`() throws {
        let session = lockedForPhone()
        let plan = try #require(newestOrder(session))
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

    @Test func `settings that offer phones no more end the code that is shown, and the lock says what is left`() throws
    {
        let session = lockedForPhone()
        let attempt = try #require(ask(session))
        var policy = session.machine.policy
        policy.comesBackByPhone = false
        session.feed(.policyChanged(policy))
        #expect(session.answer() == .refused(.noPhones))
        session.feed(.signInSucceeded(attempt, Session.ana))
        #expect(session.machine.lock != nil)
        let plan = try #require(newestOrder(session))
        #expect(!plan.hasPIN && !plan.hasPhone)
    }

    @Test func `a PIN that is chosen while the screen is locked already has its keys there`() throws {
        let session = lockedForPhone()
        #expect(lock(session, hasPIN: true) == .done)
        let plan = try #require(newestOrder(session))
        #expect(plan.hasPIN && plan.hasPhone)
        session.agentSays(.locked(1, isCovered: true))
        #expect(unlock(session) == .done)
    }

    @Test func `a PIN that is chosen while the screen is being covered has its keys there when it is`() throws {
        let session = turn { policy in
            policy.workersHavePINs = false
            policy.comesBackByPhone = true
        }
        #expect(session.call { .lock($0, hasPIN: false, withoutPIN: true) } == nil)
        #expect(session.call { .lock($0, hasPIN: true) } == nil)
        session.agentSays(.locked(1, isCovered: true))
        let plan = try #require(newestOrder(session))
        #expect(plan.hasPIN && plan.hasPhone)
        session.agentSays(.locked(1, isCovered: true))
        #expect(session.machine.provenLock != nil && !session.asks(.locked(1)))
    }

    @Test func `the grace of a lock ends while a phone is waited for`() throws {
        let session = lockedForPhone()
        let attempt = try #require(ask(session))
        session.pass(milliseconds: 300_000)
        #expect(session.barrier?.reason == .lock)
        session.feed(.signInSucceeded(attempt, Session.ana))
        #expect(session.machine.phase == .clearing && !session.asked.contains(.unlock(1)))
    }

    @Test func `a screen locks itself for a worker without a PIN who can come back by phone`() throws {
        let (session, _) = idle { policy in
            policy.workersHavePINs = false
            policy.comesBackByPhone = true
        }
        let plan = try #require(newestOrder(session))
        #expect(!plan.hasPIN && plan.hasPhone)
    }
}
