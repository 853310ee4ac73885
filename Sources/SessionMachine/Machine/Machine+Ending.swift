import Vocabulary

extension Machine {
    /// Writes the receipt and opens the gate, or quarantines.
    mutating func end(_ now: Moment) {
        guard let barrier = ledger.barrier, let turn = ledger.device.turn else { return }
        if policy.unproven == .quarantine {
            for (app, entry) in ledger.roster where entry.state == .owed {
                updateEntry(app) { $0.state = .unproven }
            }
        }
        let why = quarantineReasons(barrier)
        let worst = ledger.roster.values.map(\.outcome).max() ?? .cleared
        let outcome: Outcome = why.isEmpty ? worst : .quarantined
        let explanation = Explanation(why + [slowness(barrier, now)].compactMap(\.self))
        let receipt = receipt(of: barrier, turn, outcome, explanation, now)

        for (instance, registration) in ledger.registrations.sorted(by: { $0.key < $1.key }) {
            // Who had cleared before another process of the app ended must clear once more, and learns that by asking.
            let app = ledger.apps[registration.app]
            let owed = max(owes(registration), app?.paidFrom == nil ? 0 : app?.owed ?? 0)
            if owed != registration.mustClear { updateRegistration(instance) { $0.mustClear = owed } }
            let isIdleGhost = !registration.connected && app?.owed == nil
            if outcome != .quarantined, isIdleGhost { write(.registration(instance, nil)) }
        }
        write(.ended(receipt))
        let ended = Ledger.TurnRecord(epoch: turn.epoch, holder: turn.holder, when: now.wall)
        let previous = policy.remembersPrevious == .off ? nil : ended
        updateDevice {
            $0.turn = nil
            $0.previous = turn.holder == .unknown ? nil : previous
            if outcome != .quarantined, let mode = barrier.nextMode { $0.mode = mode }
        }
        if outcome == .quarantined {
            let isUnsettled = ledger.roster.values.contains { !$0.state.isSettled }
            updateBarrier {
                $0.quarantine()
                // An app that is not settled can still write to them, so the retry clears them once more.
                if isUnsettled { $0.shared = [Barrier.Check(name: "session", outcome: .failed)] }
            }
            if journalBroken { emit(.mark) }
            emit(.log(.doomed(receipt.explanation)))
        } else {
            write(.rosterCleared)
            write(.barrier(nil))
            gatherDebts()
        }
        withdraw()
        endRejections()
        chooseTurnUser()
        prepareTurn()
        emit(.publish)
        emit(.announce(.signedOut(turn.epoch, turn.holder, outcome)))
        replyToWaiting(.signedOut(turn.epoch, receipt))
        if let call = modeCall?.call {
            modeCall = nil
            if outcome == .quarantined { refuse(call, .quarantined) } else { reply(call, .done) }
        }
        let hasPage = takeLatePage()
        let isWorthATry = outcome == .quarantined && (agentCameLate || hasPage)
        agentCameLate = false
        if isWorthATry { return retry(now) }
        if outcome == .quarantined { finishReset(now) }
    }

    /// What the journal takes is in no deadline, so it may break a limit that no app is to blame for; that is said.
    private func slowness(_ barrier: Barrier, _ now: Moment) -> Explanation.Part? {
        guard let write = barrier.slowestWrite,
            now.monotonic.adding(write) > barrier.started.adding(policy.absolute)
        else { return nil }
        return .slowWrite(limit: policy.absolute, took: write)
    }

    private func quarantineReasons(_ barrier: Barrier) -> [Explanation.Part] {
        var why = (barrier.lost?.parts ?? []) + (barrier.doomed?.parts ?? [])
        if journalBroken { why.append(.unwritableJournal) }
        let unproven = ledger.roster.filter { $0.value.state == .unproven }.keys.sorted().map(\.id)
        if !unproven.isEmpty { why.append(.notContained(apps: unproven)) }
        if barrier.browser == .failed, barrier.doomed == nil { why.append(browserReason(barrier)) }
        if barrier.turn?.outcome == .failed { why.append(.notCleared(holder: Self.turnRow)) }
        for holder in barrier.shared ?? [] where holder.outcome == .failed && barrier.doomed == nil {
            why.append(.notCleared(holder: holder.name))
        }
        return why
    }

    private func browserReason(_ barrier: Barrier) -> Explanation.Part {
        .browserNotSignedOut(failed: (barrier.browserChecks ?? []).filter { $0.outcome == .failed }.map(\.name))
    }

    private func receipt(
        of barrier: Barrier, _ turn: Ledger.TurnRecord, _ outcome: Outcome, _ explanation: Explanation, _ now: Moment
    ) -> ReceiptRecord {
        let participants = ledger.roster.sorted { $0.key < $1.key }.map { app, entry in
            ReceiptRecord.Participant(
                app: app, proven: entry.proven, outcome: entry.participantOutcome,
                took: entry.took, proof: entry.proof, details: entry.apps.map { #"{"apps":\#($0)}"# } ?? entry.details,
                explanation: entry.explanation)
        }
        let debts = ledger.apps.sorted { $0.key < $1.key }.compactMap { app, record in
            guard let since = record.owedSince, since < barrier.epoch else { return nil as ReceiptRecord.Debt? }
            return ReceiptRecord.Debt(app: app, since: since)
        }
        var receipt = ReceiptRecord(
            epoch: barrier.epoch, holder: turn.holder, reason: barrier.reason, started: barrier.startedWall,
            ended: now.wall, took: now.monotonic.subtracting(barrier.started), outcome: outcome,
            participants: participants, debts: debts, browser: barrier.browser ?? .unchecked,
            browserExplanation: barrier.browserExplanation, browserChecks: barrier.browserChecks,
            shared: [turnCheck(of: barrier)].compactMap(\.self) + (barrier.shared ?? []),
            provider: barrier.provider, rejections: rejections,
            tokens: barrier.tokens,
            restarts: barrier.restarts, explanation: explanation, release: nil)
        receipt.boundDetails()
        return receipt
    }
}

extension RosterEntry {
    /// What this entry alone makes of the barrier.
    var outcome: Outcome {
        switch state {
        case .cleared: .cleared
        case .owed: .owed
        case .contained: .contained
        case .pending, .containing, .unproven: .quarantined
        }
    }

    fileprivate var participantOutcome: ParticipantOutcome {
        switch state {
        case .cleared: said == .nothingToClear ? .nothingToClear : .cleared
        case .owed: .owed
        case .contained: .contained
        case .pending, .containing, .unproven: .unproven
        }
    }
}
