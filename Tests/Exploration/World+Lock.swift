import SessionMachine
import Vocabulary

/// The screen of a turn, and the truth about what covers it.
struct Lock: Hashable, Sendable {
    /// As often may a PIN be wrong.
    static let tries = 2
    static let grace: UInt64 = 30_000_000

    /// By the agent, for a lock. The display keeps it when the agent is gone.
    var isCovered = false
    /// Of the PIN that is being looked at, or of the phone that is waited for; its answer comes in any case.
    var attempt: Attempt?
    /// It is a phone's.
    var isPhone = false
    /// How many were wrong since the screen was locked.
    var wrong = 0
    /// The event that is handled now is the right PIN, or the worker's own phone, of a turn that goes on.
    var isPaid = false
}

extension World {
    var lockActions: [Action] {
        guard let lock else { return [] }
        var list: [Action] = lock.attempt == nil ? [] : [.rightPIN, .wrongPIN]
        guard machine.phase == .inUse else { return list }
        if agent, machine.lock == nil { list.append(.lock) }
        if machine.lock != nil {
            if lock.attempt == nil { list += [.unlock, .unlockByPhone] } else if lock.isPhone { list.append(.unlock) }
        }
        return list
    }

    mutating func happenToLock(_ action: Action) {
        switch action {
        case .lock:
            if machine.lock == nil { lock?.wrong = 0 }
            feed(.lock(0, hasPIN: true))
        case .unlock:
            let phone = lock?.attempt
            feed(.unlock(0, ":1.0"))
            noteAttempt()
            // A phone whose place a PIN has taken opens nothing any more.
            if let phone, let holder = machine.ledger.device.turn?.holder { feed(.signInSucceeded(phone, holder)) }
        case .unlockByPhone:
            feed(.unlock(0, ":1.0", by: .phone(comesFirst: false)))
            noteAttempt()
        case .rightPIN:
            guard let attempt = lock?.attempt, let holder = machine.ledger.device.turn?.holder ?? barrierHolder else {
                lock?.attempt = nil
                return
            }
            lock?.attempt = nil
            let isPaid = machine.phase == .inUse && machine.signInAgain?.attempt == attempt
            lock?.isPaid = isPaid
            feed(.signInSucceeded(attempt, holder))
            lock?.isPaid = false
        case .wrongPIN:
            guard let attempt = lock?.attempt else { return }
            lock?.attempt = nil
            // At the provider it is another worker that is the wrong one.
            if lock?.isPhone == true { return feed(.signInSucceeded(attempt, Self.stranger)) }
            if machine.phase == .inUse, machine.signInAgain?.attempt == attempt { lock?.wrong += 1 }
            feed(.signInFailed(attempt, .wrongCredentials))
        default: break
        }
    }

    private static let stranger = TurnAccount(id: "stranger", attributes: [:])

    private mutating func noteAttempt() {
        guard let again = machine.signInAgain, let proof = again.unlocks else { return }
        lock?.attempt = again.attempt
        lock?.isPhone = proof != .pin
    }

    private var barrierHolder: TurnAccount? { machine.ledger.device.previous?.holder }

    /// The agent has done what it was asked for.
    mutating func coverForLock(_ plan: LockPlan, failed: Bool) {
        let isTurn = machine.phase == .inUse && machine.epoch == plan.epoch
        if isTurn, !failed { lock?.isCovered = true }
    }

    mutating func showAfterLock(_ epoch: Epoch) {
        // For a sign-out it is covered anew, before anything else.
        if machine.phase == .inUse, machine.epoch == epoch { lock?.isCovered = false }
    }

    mutating func checkUnlock(_ epoch: Epoch) {
        guard let lock else { return }
        if !lock.isPaid { fail("S11: the screen is shown without its worker's PIN or phone") }
        if machine.phase != .inUse || machine.epoch != epoch || cleared & Self.bit(epoch) != 0 {
            fail("S11: the screen of a turn whose sign-out has begun is shown")
        }
    }

    mutating func checkLock() {
        guard let truth = lock, machine.phase == .inUse else { return }
        if machine.lock == nil, !machine.locking.isEmpty { fail("L1: a call of Lock is never answered") }
        guard let lock = machine.lock else { return }
        if now > lock.until { fail("L5: a lock outlasts its grace") }
        if truth.wrong >= Lock.tries { fail("S11: a lock gives more tries than it has") }
        let isAsked = jobs.contains { if case .lock = $0.request { true } else { false } }
        if machine.provenLock != nil, machine.isAgentPresent, !isAsked, !truth.isCovered {
            fail("S11: the screen is called locked and shows its worker's windows")
        }
    }

    func addLock(_ print: inout Fingerprint) {
        guard let lock else { return }
        print.add(lock.isCovered)
        print.add(lock.attempt.map { $0 == machine.signInAgain?.attempt ? 1 : 2 } ?? 0 as UInt64)
        print.add(lock.attempt != nil && lock.isPhone)
        print.add(lock.wrong)
        print.add(machine.lock.map { left($0.until) + 1 } ?? 0)
        print.add(machine.lock?.tries ?? 0)
        print.add(machine.provenLock != nil)
        print.add(machine.isLockStale)
        print.add(machine.locking.count)
        print.add(machine.signInAgain.map { left($0.deadline) + 1 } ?? 0)
        print.add(machine.signInAgain?.unlocks.map { $0 == .pin ? 1 : 2 } ?? 0 as UInt64)
    }
}
