import Vocabulary

extension Machine {
    /// Goes on where the journal says, whatever has come and gone in between.
    mutating func start(_ surroundings: StartFindings, _ now: Moment) {
        started = now.boottime
        agentPresent = false
        agentAwaySince = now.monotonic
        rejections = ledger.barrier.map { $0.ended ? [] : $0.rejections } ?? ledger.device.rejections ?? []
        forgetTokens()
        isLockProven = lock != nil
        let isNewBus = surroundings.busID != ledger.device.busID
        let isNewBoot = surroundings.bootID != ledger.device.bootID
        updateDevice {
            $0.busID = surroundings.busID
            $0.bootID = surroundings.bootID
        }
        // The deadlines move before those who left are looked at: they have until the soft one to come back.
        if let barrier = ledger.barrier {
            if barrier.ended { forgetRetry(now) } else { resume(barrier, isNewBoot: isNewBoot, now) }
        }
        forgetLoss(in: surroundings.bootID)
        sortOut(surroundings, isNewBus: isNewBus, isNewBoot: isNewBoot, now)
        startTurnUsers(isNewBoot: isNewBoot)
        if let barrier = ledger.barrier {
            if !barrier.ended {
                announceSigningOut()
                askProvider()
                askAll(now)
            }
        } else if let turn = ledger.device.turn,
            isNewBoot || surroundings.marked || surroundings.signOutAsked || turn.lost != nil || turn.holder == .unknown
        {
            if turn.lost != nil { enterPresent() }
            beginBarrier(.recovery, now, waitsForAgent: policy.agentRequired)
        }
        if surroundings.marked { doom() }
        // The journal has it now; where it cannot be written, the mark is all that there is.
        if surroundings.signOutAsked, !journalBroken { emit(.unmark) }
        emit(.publish)
    }

    /// A retry of the quarantine ended with the supervisor that ran it, and another boot's clock says nothing about it.
    private mutating func forgetRetry(_ now: Moment) {
        updateBarrier {
            $0.retries = Barrier.Retries()
        }
        for (app, entry) in ledger.roster where entry.state == .containing {
            settle(app, .unproven, now, explanation: entry.explanation)
        }
    }

    /// Nothing runs any more of a turn that began in another boot, whatever apps took part in it.
    private mutating func forgetLoss(in boot: String) {
        func isOver(_ begin: Ledger.Begin?) -> Bool { begin.map { !$0.bootID.isEmpty && $0.bootID != boot } ?? false }
        if let turn = ledger.device.turn, turn.lost != nil, turn.begin.bootID.isEmpty {
            // It may be of this boot, and is of none after this one.
            updateDevice { $0.turn?.began = Ledger.Begin(wall: turn.when, boottime: nil, bootID: boot) }
        }
        if isOver(ledger.device.turn?.began) { updateDevice { $0.turn?.lost = nil } }
        guard let barrier = ledger.barrier, isOver(barrier.began) else { return }
        updateBarrier { $0.lost = nil }
    }

    private mutating func doom() {
        let why = Seal.unwrittenSignOut
        if let barrier = ledger.barrier {
            if !barrier.ended { updateBarrier { $0.doomed = [.sealed(why)] } }
        } else if sealed == nil {
            // Why the journal cannot be read says what to do.
            seal(why)
        }
    }

    private mutating func sortOut(_ surroundings: StartFindings, isNewBus: Bool, isNewBoot: Bool, _ now: Moment) {
        for (instance, registration) in ledger.registrations.sorted(by: { $0.key < $1.key }) {
            if isNewBoot {
                write(.registration(instance, nil))
            } else if isNewBus || !surroundings.alive.contains(registration.sender) {
                depart(instance, now)
            }
        }
    }

    private mutating func resume(_ barrier: Barrier, isNewBoot: Bool, _ now: Moment) {
        let restarts = barrier.restarts.addingReportingOverflow(1).partialValue
        let policy = policy
        updateBarrier {
            $0.restarts = restarts
            if Int(restarts) >= policy.restarts { $0.doomed = [.restarted(times: restarts)] }
            if isNewBoot {
                $0.started = now.monotonic
                if policy.agentRequired { $0.waitForAgent() } else { $0.goOn() }
                $0.soft = now.monotonic.adding(policy.soft)
                $0.hard = now.monotonic.adding(policy.hard)
                $0.absolute = now.monotonic.adding(policy.absolute)
            } else if !barrier.waitsForAgent {
                let hard = max(barrier.hard, now.monotonic.adding(policy.soft))
                let moved = barrier.absolute.adding(hard.subtracting(barrier.hard))
                $0.hard = hard
                $0.absolute = max(
                    barrier.absolute, min(moved, now.monotonic.adding(policy.absolute)),
                    hard.adding(policy.containment))
                $0.soft = max(barrier.soft, min(now.monotonic.adding(policy.soft), hard))
            }
        }
        // It is not known what the supervisor before this one had sent; telling it twice does no harm. But the sign-out does
        // not wait for it longer than for the apps.
        updateBarrier {
            guard $0.provider == nil else { return }
            $0.providerEnds = min(now.monotonic.adding(policy.providerWait ?? 0), max($0.hard, now.monotonic))
        }
        guard let moved = ledger.barrier else { return }
        for (app, entry) in ledger.roster where entry.hard != 0 || entry.state == .containing {
            updateEntry(app) {
                if entry.hard != 0 { $0.hard = isNewBoot ? 0 : max(entry.hard, moved.hard) }
                if entry.state == .containing { $0.containmentEnds = moved.absolute }
            }
        }
    }
}
