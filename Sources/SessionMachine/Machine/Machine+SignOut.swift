import Vocabulary

extension Machine {
    mutating func signOut(_ caller: WaitingCall, _ epoch: Epoch?, _ reason: SignOutReason, _ now: Moment) {
        let call = caller.call
        guard mode == .shared || ledger.barrier != nil else { return refuse(call, .notShared) }
        if let epoch, epoch > ledger.device.epoch { return refuse(call, .epochAhead(current: ledger.device.epoch)) }
        // An epoch that has ended is signed out already.
        if let epoch, epoch < ledger.device.epoch { return reply(call, .signedOut(epoch, nil)) }
        switch phase {
        case .ready: reply(call, .signedOut(ledger.device.epoch, nil))
        case .signingIn:
            if epoch == nil { abandon(.bySignOut, again: false) }
            reply(call, .signedOut(ledger.device.epoch, nil))
        case .inUse:
            waiting.append(caller)
            beginBarrier(reason, now)
        case .clearing: waiting.append(caller)
        case .quarantined:
            waiting.append(caller)
            askForRetry(now)
        }
    }

    /// Of a turn that is not the last one, no caller is told anyway.
    mutating func forgetPrevious(_ call: Call, _ epoch: Epoch) {
        if ledger.device.previous?.epoch == epoch {
            updateDevice { $0.previous = nil }
            emit(.publish)
        }
        promise(call)
    }

    mutating func automaticSignOutDue(_ reason: SignOutReason, _ now: Moment) {
        // A worker who is signed in according to the journal that cannot be read is to leave too.
        if hasNoJournal { return emit(.rememberSignOut) }
        // What a touch would end must not take the place of what it would not: a shift's end comes once.
        guard mode == .shared, phase == .inUse, pending == nil || pending?.reason == .idle && reason != .idle else {
            return
        }
        countDown(reason, until: now.boottime.adding(policy.countdown))
    }

    mutating func countDown(_ reason: SignOutReason, until deadline: UInt64) {
        idleSince = nil
        pending = Pending(reason: reason, deadline: deadline)
        emit(.publish)
        emit(.announce(.automaticSignOutPending(reason, deadline: deadline)))
    }

    /// The agent says it again to the next batond: the countdown then goes on, and does not begin anew.
    mutating func idle(_ epoch: Epoch, since: UInt64?, _ now: Moment) {
        guard mode == .shared, phase == .inUse, epoch == ledger.device.epoch else { return }
        idleSince = since
        guard since != nil else {
            if pending?.reason == .idle, policy.anyInputStays { callOff() }
            return
        }
        actOnIdle(now)
    }

    /// Microseconds until a device that is idle is locked, or its countdown begins.
    func idleCountdown(_ now: Moment) -> UInt64? {
        guard mode == .shared, phase == .inUse, pending == nil, let since = idleSince else { return nil }
        let lock = locksWhenIdle ? policy.lock : nil
        let countdown = policy.idle?.subtracting(policy.countdown)
        return [lock, countdown].compactMap(\.self).min().map { since.adding($0).subtracting(now.boottime) }
    }

    mutating func actOnIdle(_ now: Moment) {
        guard idleCountdown(now) == 0, let since = idleSince else { return }
        idleSince = nil
        let idle = policy.idle.map { since.adding($0) }
        // A lock whose worker is to be signed out at once would be a sign-out without a countdown.
        if locksWhenIdle, let lock = policy.lock, now.boottime >= since.adding(lock), idle ?? .max > now.boottime {
            return beginLock(idle: idle, now)
        }
        if let idle { countDown(.idle, toward: idle, now) }
    }

    /// - Parameter deadline: When the time is over of which the countdown is the last part. Only an earlier batond can have begun that part:
    ///   this one would have, had it heard of the idleness in time, or had the machine not slept. If all of it has passed, it is not known
    ///   whether the worker was ever told.
    private mutating func countDown(_ reason: SignOutReason, toward deadline: UInt64, _ now: Moment) {
        let hasBegun = started > deadline.subtracting(policy.countdown) && deadline > now.boottime
        countDown(reason, until: hasBegun ? deadline : now.boottime.adding(policy.countdown))
    }

    /// When the open turn is as long as the settings allow, CLOCK_BOOTTIME in microseconds; nil: it may last.
    private func turnEnds(_ now: Moment) -> UInt64? {
        guard mode == .shared, phase == .inUse, pending == nil, let longest = policy.longestTurn,
            let turn = ledger.device.turn
        else { return nil }
        let began = turn.begin.boottime ?? now.boottime.subtracting(Self.age(of: turn, now))
        return (stayed ?? began).adding(longest)
    }

    /// Microseconds until the countdown of the longest turn begins.
    package func turnCountdown(_ now: Moment) -> UInt64? {
        turnEnds(now).map { $0.subtracting(policy.countdown).subtracting(now.boottime) }
    }

    mutating func countDownTurn(_ now: Moment) {
        guard turnCountdown(now) == 0, let end = turnEnds(now) else { return }
        countDown(.expired, toward: end, now)
    }

    private mutating func callOff() {
        pending = nil
        // The agent watches from now on. What it said during the countdown is of before.
        idleSince = nil
        emit(.publish)
        emit(.announce(.automaticSignOutCancelled))
    }

    mutating func keepSignedIn(_ call: Call, _ now: Moment) {
        guard mode == .shared else { return refuse(call, .notShared) }
        guard phase == .inUse else { return refuse(call, .notSignedIn) }
        stayed = now.boottime
        if pending != nil { callOff() }
        reply(call, .done)
    }

    mutating func setMode(_ caller: WaitingCall, _ mode: Mode, _ now: Moment) {
        let call = caller.call
        guard mode != self.mode else { return reply(call, .done) }
        switch phase {
        case .ready:
            guard !journalBroken else { return refuseUnwritten(call) }
            updateDevice { $0.mode = mode }
            emit(.publish)
            reply(call, .done)
        case .inUse:
            modeCall = caller
            beginBarrier(.administrator, now, nextMode: mode)
        case .signingIn: refuse(call, .signingIn)
        case .clearing: refuse(call, .busyClearing)
        case .quarantined: refuse(call, .quarantined)
        }
    }
}
