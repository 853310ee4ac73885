import Vocabulary

extension Machine {
    /// Begins the sign-out of the open turn: journalled, then announced, then asked of the agent.
    mutating func beginBarrier(
        _ reason: SignOutReason, _ now: Moment, nextMode: Mode? = nil, waitsForAgent: Bool = false
    ) {
        guard let turn = ledger.device.turn, ledger.barrier == nil else { return }
        (pending, stayed, idleSince) = (nil, nil, nil)
        endLock()
        abandon(.bySignOut, again: true)
        var barrier = Barrier(epoch: turn.epoch, reason: reason, at: now, policy: policy)
        barrier.began = turn.begin
        barrier.lost = turn.lost
        barrier.user = turn.user
        barrier.nextMode = nextMode
        if waitsForAgent { barrier.waitForAgent() }
        barrier.rejections = rejections
        barrier.tokens = tokens.epoch == turn.epoch ? tokens : TokenTally(epoch: turn.epoch)
        write(.clearing(turn.epoch, reason, wall: now.wall))
        write(.barrier(barrier))
        updateDevice { $0.rejections = nil }
        // Every app that is there is asked from here on.
        for (app, record) in ledger.apps where record.paidFrom != nil { updateApp(app) { $0.paidFrom = nil } }
        if journalBroken { emit(.mark) }
        emit(.publish)
        announceSigningOut()
        askProvider()
        askAll(now, beginning: true)
    }

    func isHeld(_ barrier: Barrier) -> Bool { barrier.ended || barrier.waitsForAgent }

    mutating func announceSigningOut() {
        guard let turn = ledger.device.turn, let barrier = ledger.barrier else { return }
        audience = Audience(epoch: turn.epoch, senders: Set(ledger.registrations.values.map(\.sender)))
        emit(.announce(.signingOut(turn.epoch, turn.holder, barrier.reason, deadline: deadline)))
    }

    /// An app cannot answer what it has not been asked: what the journal took to hold the begin is none of its time.
    mutating func announcedLate(_ epoch: Epoch, by delay: UInt64) {
        guard let barrier = ledger.barrier, barrier.epoch == epoch, !isHeld(barrier) else { return }
        updateBarrier {
            $0.soft = $0.soft.adding(delay)
            $0.hard = $0.hard.adding(delay)
            $0.absolute = $0.absolute.adding(delay)
            $0.providerEnds = $0.providerEnds?.adding(delay)
            $0.slowestWrite = max($0.slowestWrite ?? 0, delay)
        }
        for (app, entry) in ledger.roster.sorted(by: { $0.key < $1.key }) {
            updateEntry(app) {
                if entry.hard != 0 { $0.hard = entry.hard.adding(delay) }
                if entry.containmentEnds != 0 { $0.containmentEnds = entry.containmentEnds.adding(delay) }
            }
        }
        emit(.publish)
    }

    /// Looks at every entry, and asks the agent for what is still missing.
    mutating func askAll(_ now: Moment, beginning: Bool = false) {
        guard let barrier = ledger.barrier, !isHeld(barrier) else { return }
        if barrier.browser == nil { askToSignOutBrowser(barrier) }
        if barrier.closed {
            if barrier.shared == nil, isTurnEnded(barrier) { askToClearSharedHolders(barrier) }
            return
        }
        for (app, entry) in ledger.roster.sorted(by: { $0.key < $1.key }) {
            if entry.state == .containing { askToContain(app) } else { review(app, now, beginning: beginning) }
        }
    }

    /// Acts on every deadline that has passed.
    mutating func expire(_ now: Moment) {
        if let signIn, signIn.call != nil, now.monotonic >= signIn.deadline { abandon(.timedOut, again: false) }
        if let signInAgain, now.monotonic >= signInAgain.deadline { abandon(.timedOut, again: true) }
        if phase == .inUse, mode == .shared {
            countDownTurn(now)
            actOnIdle(now)
            if let lock, now.boottime >= lock.until { beginBarrier(.lock, now) }
            if let pending, now.boottime >= pending.deadline { beginBarrier(pending.reason, now) }
            if let agentDue, now.monotonic >= agentDue { beginBarrier(.agentLost, now) }
        }
        expirePage(now)
        expireProvider(now)
        guard let barrier = ledger.barrier else { return }
        if barrier.ended { return expireRetry(barrier, now) }
        guard !barrier.waitsForAgent, !barrier.closed, now.monotonic >= barrier.soft else { return }
        let open = ledger.roster.filter { $0.value.isOpen }
        for (app, entry) in open.sorted(by: { $0.key < $1.key }) {
            if entry.state == .containing { expireContainment(app, entry, now) } else { review(app, now) }
        }
    }

    mutating func expireContainment(_ app: AppKey, _ entry: RosterEntry, _ now: Moment) {
        guard now.monotonic >= entry.containmentEnds else { return }
        withdraw(app)
        if isPaid(app) { return settle(app, .cleared, now) }
        let why: Explanation = agentPresent ? [.containmentTimedOut] : [.noAgentToContain]
        settle(app, .unproven, now, explanation: entry.explanation + why)
    }

    /// Takes the barrier as far as it can go now.
    mutating func advance(_ now: Moment) {
        guard let barrier = ledger.barrier, !isHeld(barrier) else { return }
        if barrier.doomed != nil || now.monotonic >= barrier.absolute {
            // However it ends, nothing of the turn may go on running.
            if !isTurnEnded(barrier), now.monotonic < barrier.absolute { return endTurn() }
            return giveUp(now)
        }
        if !isTurnEnded(barrier), now.monotonic >= turnDeadline(barrier) { endTurn() }
        if !barrier.closed {
            guard ledger.openEntries == 0 else {
                if endsOnlyWithTurn(barrier) { endTurn() }
                return
            }
            updateBarrier { $0.close() }
        }
        if agentPresent {
            if barrier.browser == nil { askToSignOutBrowser(barrier) }
            // What runs could take back what was cleared.
            if barrier.shared == nil, isTurnEnded(barrier) { askToClearSharedHolders(barrier) }
        } else if !policy.agentRequired {
            updateBarrier {
                if $0.browser == nil { $0.browser = .unchecked }
                $0.shared = $0.shared ?? [Barrier.Check(name: "session", outcome: .unchecked)]
            }
        } else if now.monotonic >= barrier.hard {
            emit(.log(.agentMissing))
            updateBarrier { $0.doomed = [.agentMissing] }
            return advance(now)
        }
        guard let closed = ledger.barrier, closed.browser != nil else { return }
        // The page of the provider is in the worker's browser, which ends with the turn.
        guard isTurnEnded(closed) else { return endTurn() }
        guard closed.shared != nil, closed.provider != nil else { return }
        end(now)
    }

    /// Ends what cannot end well: fail closed.
    private mutating func giveUp(_ now: Moment) {
        for (app, entry) in ledger.roster.sorted(by: { $0.key < $1.key }) where entry.isOpen {
            settle(app, .unproven, now, explanation: [.barrierEnded])
        }
        let reached: Explanation = [.absoluteLimit(microseconds: policy.absolute)]
        let isEnded = ledger.barrier.map(isTurnEnded) ?? true
        updateBarrier {
            $0.close()
            $0.doomed = $0.doomed ?? reached
            if !isEnded {
                $0.turn = Barrier.Check(
                    name: Self.turnRow, outcome: .failed, explanation: "the kernel was not heard in time")
            }
            $0.browser = $0.browser ?? .failed
            $0.shared = $0.shared ?? [Barrier.Check(name: "session", outcome: .failed)]
            $0.provider = $0.provider ?? ProviderReport(.pending, explanation: reached)
        }
        end(now)
    }

    mutating func browserSignedOut(
        _ epoch: Epoch, _ check: CheckOutcome, _ explanation: String, _ checks: [Barrier.Check], _ now: Moment
    ) {
        asked.remove(.browserSignedOut(epoch))
        guard let barrier = ledger.barrier, barrier.epoch == epoch, !barrier.ended || barrier.browser == .failed else {
            return emit(.log(.outOfPlace(.browserSignOut)))
        }
        updateBarrier {
            // One point that is not proven is enough, whatever the sum of them is said to be.
            $0.browser = checks.contains { $0.outcome == .failed } ? .failed : check
            $0.browserExplanation = explanation
            $0.browserChecks = checks
        }
        retryLate(now)
    }

    /// An answer that comes when the quarantine has begun may be all that was missing.
    private mutating func retryLate(_ now: Moment) {
        guard let barrier = ledger.barrier, barrier.ended, barrier.retries.ends == 0, barrier.browser != .failed else {
            return
        }
        retry(now)
    }

    mutating func sharedHoldersCleared(_ epoch: Epoch, _ holders: [Barrier.Check]) {
        asked.remove(.sharedHoldersCleared(epoch))
        guard let barrier = ledger.barrier, barrier.epoch == epoch, barrier.closed else {
            return emit(.log(.outOfPlace(.sharedHolders)))
        }
        updateBarrier { $0.shared = holders }
    }
}
