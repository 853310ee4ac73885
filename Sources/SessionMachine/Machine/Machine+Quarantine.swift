import Vocabulary

extension Machine {
    /// A sign-out in quarantine asks for another try, not more often than the settings say.
    mutating func askForRetry(_ now: Moment) {
        guard let barrier = ledger.barrier, barrier.ended else {
            // What could not be read before, a sign-out makes no more readable; whether a worker is signed in is not known.
            // A worker who is leaves when it can be read.
            guard !journalBroken else {
                if hasNoJournal { emit(.rememberSignOut) }
                return refuseWaiting()
            }
            if sealed == .noTurnUser { return chooseTurnUser() }
            if sealed == .openSignInPage, agentPresent {
                // Its answer is theirs.
                ask(.closeSignIn)
                return
            }
            if sealed != .missingStartPage, sealed != .openSignInPage || !policy.agentRequired {
                unseal()
            }
            return answerWaiting()
        }
        if barrier.retries.ends != 0 { return }
        // The pause spares the agent; a journal that may be writable again is worth a look at once.
        if !journalBroken, barrier.retries.last != 0, now.monotonic < barrier.retries.last.adding(policy.retryPause) {
            return answerWaiting()
        }
        retry(now)
    }

    /// Tries again what is missing; leaves the quarantine when nothing is.
    mutating func retry(_ now: Moment) {
        guard let barrier = ledger.barrier, barrier.ended, barrier.retries.ends == 0 else { return }
        guard agentPresent || !policy.agentRequired else {
            // The coming of an agent that has just ended is the try that callers wait for.
            if let agentDue, now.monotonic < agentDue { return }
            return answerWaiting()
        }
        let isAway = !agentPresent
        let ends = now.monotonic.adding(policy.absolute)
        updateBarrier {
            $0.retries = Barrier.Retries(last: now.monotonic, ends: ends)
            $0.doomed = nil
            if $0.turn?.outcome == .failed { $0.turn = nil }
            if $0.browser == .failed, isAway { $0.browser = .unchecked }
            if isAway { $0.shared = [Barrier.Check(name: "session", outcome: .unchecked)] }
        }
        withdraw()
        sharedAskedAgain = false
        for (app, entry) in ledger.roster.sorted(by: { $0.key < $1.key }) where !entry.state.isSettled {
            if isPaid(app) {
                settle(app, .cleared, now)
            } else if agentPresent {
                containAgain(app, entry, now)
            }
        }
        if agentPresent, ledger.barrier?.browser == .failed { askToSignOutBrowser(barrier) }
        if let barrier = ledger.barrier, !isTurnEnded(barrier) { endTurn() }
        concludeRetry(now)
    }

    private mutating func containAgain(_ app: AppKey, _ entry: RosterEntry, _ now: Moment) {
        guard entry.state == .containing else { return contain(app, now, entry.explanation) }
        let ends = now.monotonic.adding(policy.containment)
        updateEntry(app) { $0.containmentEnds = ends }
        askToContain(app)
    }

    /// Leaves the quarantine when nothing is missing, or ends a try that has had all its answers.
    mutating func concludeRetry(_ now: Moment) {
        guard let barrier = ledger.barrier, barrier.ended else { return }
        let isSettled = ledger.roster.values.allSatisfy(\.state.isSettled)
        let sharedIsFine = barrier.shared?.allSatisfy { $0.outcome != .failed } ?? false
        let owedIsFine = policy.unproven == .owe || !ledger.roster.values.contains { $0.state == .owed }
        if isSettled, isTurnProven(barrier), owedIsFine, barrier.doomed == nil, barrier.lost == nil,
            barrier.browser != .failed, sharedIsFine, !journalBroken
        {
            release(.retry, [.checksSucceeded], now)
            return
        }
        guard barrier.retries.ends != 0 else { return }
        // An app that was not settled may have written to them until now, so they come after it here too.
        if isSettled, isTurnProven(barrier), !sharedIsFine, agentPresent, !sharedAskedAgain {
            sharedAskedAgain = true
            askToClearSharedHolders(barrier)
        }
        guard asked.isEmpty, !endsTurn else { return }
        updateBarrier { $0.retries.ends = 0 }
        if takeLatePage() { return retry(now) }
        answerWaiting()
        finishReset(now)
    }

    /// Until when a sign-out in quarantine waits for an agent; nil: none does.
    func agentDeadline(_ barrier: Barrier) -> UInt64? {
        barrier.ended && barrier.retries.ends == 0 && !waiting.isEmpty ? agentDue : nil
    }

    mutating func expireRetry(_ barrier: Barrier, _ now: Moment) {
        if let deadline = agentDeadline(barrier), now.monotonic >= deadline { answerWaiting() }
        for (app, entry) in ledger.roster where entry.state == .containing {
            expireContainment(app, entry, now)
        }
        guard barrier.retries.ends != 0, now.monotonic >= barrier.retries.ends else { return }
        withdraw()
        endsTurn = false
        sharedAskedAgain = true
        concludeRetry(now)
    }

    mutating func reviewQuarantined(_ app: AppKey, _ entry: RosterEntry, _ now: Moment) {
        guard entry.state == .unproven || entry.state == .owed, isPaid(app) else { return }
        settle(app, .cleared, now)
        // The last missing acknowledgement is as good as a call that asks.
        if ledger.roster.values.allSatisfy(\.state.isSettled) { retry(now) }
    }

    mutating func endQuarantine(_ call: Call, _ now: Moment) {
        // Such a turn ends in quarantine whatever is found, which is when this is done.
        if let barrier = ledger.barrier, !barrier.ended, barrier.lost != nil {
            guard agentPresent || !policy.agentRequired else { return refuse(call, .notEnded) }
            return resetting.append(call)
        }
        guard phase == .quarantined else { return refuse(call, .notQuarantined) }
        guard !journalBroken else { return refuseUnwritten(call) }
        guard let barrier = ledger.barrier else { return endSeal(call) }
        let isOpen = hasOpenBrowser(barrier) || !isTurnProven(barrier)
        guard !isOpen || agentPresent else { return refuse(call, .notEnded) }
        resetting.append(call)
        guard isOpen else { return reset(now) }
        if barrier.retries.ends == 0 { retry(now) }
    }

    /// Of a sign-in that has failed a page may still be there.
    private mutating func endSeal(_ call: Call) {
        if sealed == .missingStartPage { return refuse(call, .pageMissing) }
        if sealed == .noTurnUser {
            resetting.append(call)
            return chooseTurnUser()
        }
        guard sealed == .openSignInPage, agentPresent || policy.agentRequired else {
            unseal()
            return reply(call, .receipt(nil))
        }
        guard agentPresent else { return refuse(call, .notEnded) }
        resetting.append(call)
        ask(.closeSignIn)
    }

    /// Whether the worker's page may still be on the screen, with all that their browser holds.
    private func hasOpenBrowser(_ barrier: Barrier) -> Bool {
        barrier.browser == .failed && (agentPresent || policy.agentRequired)
    }

    /// Nothing of the turn runs any more, or it has no user of its own and its apps' rows say so.
    private func isTurnProven(_ barrier: Barrier) -> Bool { barrier.user == nil || barrier.turn?.outcome == .clean }

    /// The try that an administrator waits for has ended.
    mutating func finishReset(_ now: Moment) {
        guard !resetting.isEmpty, let barrier = ledger.barrier else { return }
        if hasOpenBrowser(barrier) || !isTurnProven(barrier) { return refuseResetting() }
        guard journalBroken else { return reset(now) }
        for call in resetting { refuseUnwritten(call) }
        resetting = []
    }

    mutating func refuseResetting() {
        replyToResetting(.refused(.notEnded))
    }

    private mutating func reset(_ now: Moment) {
        let unproven = ledger.roster.filter { !$0.value.state.isSettled }.keys.sorted()
        for app in unproven {
            settle(app, .owed, now, explanation: [.endedByAdministrator])
        }
        var explanation: Explanation = [.endedByAdministrator]
        if !unproven.isEmpty { explanation.parts.append(.notProvenClean(apps: unproven.map(\.id))) }
        // Of these no row says it.
        if ledger.barrier?.lost != nil { explanation.parts.append(.uncheckedApps) }
        release(.administrator, explanation, now)
    }

    private mutating func release(_ by: ReleaseCause, _ explanation: Explanation, _ now: Moment) {
        guard let barrier = ledger.barrier else { return }
        pageCameLate = false
        let release = Barrier.Release(when: now.wall, by: by, explanation: explanation)
        var receipt = ledger.quarantined
        receipt?.release = release
        write(.released(barrier.epoch, release))
        write(.rosterCleared)
        write(.barrier(nil))
        for (instance, registration) in ledger.registrations
        where !registration.connected && ledger.apps[registration.app]?.owed == nil {
            write(.registration(instance, nil))
        }
        gatherDebts()
        chooseTurnUser()
        prepareTurn()
        withdraw()
        emit(.unmark)
        emit(.publish)
        emit(.log(.released(release)))
        replyToWaiting(.signedOut(barrier.epoch, receipt))
        replyToResetting(.receipt(receipt))
    }

    mutating func answerWaiting() { replyToWaiting(.signedOut(ledger.device.epoch, ledger.quarantined)) }

    private mutating func refuseWaiting() { replyToWaiting(.refused(.quarantined)) }

    // MARK: The journal

    mutating func failJournal() {
        journalBroken = true
        if ledger.barrier != nil { emit(.mark) }
    }

    mutating func recoverJournal(_ now: Moment) {
        guard journalBroken else { return }
        journalBroken = false
        emit(.unmark)
    }
}
