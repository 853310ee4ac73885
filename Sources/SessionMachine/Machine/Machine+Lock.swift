import Vocabulary

/// A worker who is away for a moment: the screen is covered, and only they can have it shown again, by a PIN or a phone.
///
/// It is a part of their turn, with a grace; what comes after it is a sign-out like any other.
extension Machine {
    /// Nil: the screen is open.
    public var lock: Ledger.Lock? { phase == .inUse ? ledger.device.turn?.lock : nil }

    /// Nil also until all of the screen is covered.
    public var provenLock: Ledger.Lock? { isLockProven ? lock : nil }

    /// The worker of this turn has a PIN, by which they can come back.
    package var hasPIN: Bool { policy.workersHavePINs || turnWithPIN == ledger.device.epoch }

    /// A lock by itself whose worker could not come back would be a sign-out, of which a countdown warns.
    var locksWhenIdle: Bool {
        (hasPIN || policy.comesBackByPhone) && agentPresent && !isOpening && lock == nil
            && turnWithoutLock != ledger.device.epoch
    }

    /// The agent has not yet shown the screen again.
    private var isOpening: Bool { asked.contains(.unlocked(ledger.device.epoch)) }

    mutating func lock(_ call: Call, hasPIN: Bool, withoutPIN: Bool, _ now: Moment) {
        guard mode == .shared else { return refuse(call, .notShared) }
        guard phase == .inUse else { return refuse(call, phase == .clearing ? .signingOut : .notSignedIn) }
        guard !journalBroken else { return refuseUnwritten(call) }
        guard agentPresent else { return refuse(call, .agentMissing) }
        let isNew = hasPIN && !self.hasPIN
        if hasPIN, !policy.workersHavePINs { turnWithPIN = ledger.device.epoch }
        guard self.hasPIN || withoutPIN && policy.comesBackByPhone else { return refuse(call, .pinRequired) }
        // Else the agent might hear of both in any order.
        guard !isOpening else { return refuse(call, .unlocking) }
        if lock != nil {
            let isCovered = !asked.contains(.locked(ledger.device.epoch))
            // It shows no keys so far.
            if isNew { askToLock() }
            if isCovered { return reply(call, .done) }
        }
        locking.append(call)
        beginLock(idle: nil, now)
    }

    /// - Parameter idle: When the worker of an idle device is signed out, CLOCK_BOOTTIME in microseconds.
    mutating func beginLock(idle: UInt64?, _ now: Moment) {
        guard lock == nil else { return }
        let grace = now.boottime.adding(policy.lockGrace)
        isLockProven = false
        updateDevice { $0.turn?.lock = Ledger.Lock(since: now.boottime, until: min(grace, idle ?? .max)) }
        emit(.publish)
        askToLock()
    }

    mutating func askToLock() {
        guard let turn = ledger.device.turn, let lock else { return }
        // The agent is covering the screen with what it was told before, and is told anew when it has.
        isLockStale = !ask(
            .lock(
                LockPlan(
                    epoch: turn.epoch, holder: turn.holder, until: lock.until, hasPIN: hasPIN,
                    hasPhone: policy.comesBackByPhone)))
    }

    /// A screen that could not be covered is not locked. If it was covered and cannot be covered again, the worker's screen is open to
    /// the next person: then the turn ends.
    mutating func locked(_ epoch: Epoch, isCovered: Bool, lasts: Bool, _ now: Moment) {
        asked.remove(.locked(epoch))
        guard epoch == ledger.device.epoch, lock != nil else { return emit(.log(.outOfPlace(.lock))) }
        if isCovered {
            if !isLockProven { emit(.log(.locked(epoch, isCovered: true))) }
            isLockProven = true
            isLockFleeting = !lasts
            emit(.publish)
            for call in locking { reply(call, .done) }
            locking = []
            if isLockStale { askToLock() }
        } else if isLockProven {
            emit(.log(.locked(epoch, isCovered: false)))
            beginBarrier(.lock, now)
        } else {
            emit(.log(.locked(epoch, isCovered: false)))
            turnWithoutLock = epoch
            open()
            refuseLocking(.notCovered)
        }
    }

    /// What was locked is open, since what covered it went with the agent: the turn ends.
    mutating func loseLock(_ now: Moment) {
        if lock != nil, isLockProven, isLockFleeting { beginBarrier(.lock, now) }
    }

    mutating func unlock(_ call: Call, _ sender: Sender, by proof: UnlockProof, _ now: Moment) {
        guard mode == .shared else { return refuse(call, .notShared) }
        guard phase == .inUse else { return refuse(call, phase == .clearing ? .signingOut : .notSignedIn) }
        guard lock != nil else { return refuse(call, .notLocked) }
        switch proof {
        case .pin: guard hasPIN else { return refuse(call, .pinForgotten) }
        case .phone: guard policy.comesBackByPhone else { return refuse(call, .noPhones) }
        }
        guard !journalBroken else { return refuseUnwritten(call) }
        if let signInAgain {
            // The worker is not kept from their screen by a page that waits for them behind it.
            guard proof.takesThePlace(of: signInAgain.unlocks) else { return refuse(call, .unlocking) }
            abandon(.byAgentOrAdministrator, again: true)
        }
        signInAgain = begin(call, sender, now)
        signInAgain?.unlocks = proof
    }

    /// The settings offer phones from now on, or do so no more, also for a code that is shown.
    mutating func changePhones() {
        if case .phone? = signInAgain?.unlocks, !policy.comesBackByPhone, let current = signInAgain {
            emit(.abandon(current.attempt))
            finishSignInAgain(.noPhones)
        }
        if lock != nil, agentPresent { askToLock() }
    }

    mutating func unlocked(_ call: Call) {
        guard let epoch = ledger.device.turn?.epoch, lock != nil else { return refuse(call, .notLocked) }
        open()
        // The screen was shown before it was covered.
        refuseLocking(.unlocking)
        ask(.unlock(epoch))
        emit(.log(.unlocked(epoch)))
        reply(call, .done)
    }

    mutating func unlockFailed(_ refusal: Refusal, _ now: Moment) {
        switch refusal {
        case .wrongCredentials, .lockedOut: break
        default: return
        }
        guard let lock else { return }
        updateDevice { $0.turn?.lock?.tries = lock.tries + 1 }
        emit(.log(.unlockRefused(ledger.device.epoch, lock.tries + 1)))
        if lock.tries + 1 >= policy.lockTries { beginBarrier(.lock, now) }
    }

    private mutating func open() {
        updateDevice { $0.turn?.lock = nil }
        // Who comes back by a phone touches nothing: the screen would be locked again at once. The agent watches from now on.
        idleSince = nil
        emit(.publish)
    }

    /// The turn ends. Its record keeps the lock, which says nothing any more.
    mutating func endLock() {
        refuseLocking(.signingOut)
        (isLockProven, isLockFleeting, isLockStale) = (false, false, false)
    }

    mutating func refuseLocking(_ refusal: Refusal) {
        for call in locking { refuse(call, refusal) }
        locking = []
    }
}
