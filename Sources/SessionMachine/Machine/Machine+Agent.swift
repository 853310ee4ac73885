import Vocabulary

extension Machine {
    /// In a turn whose roster is lost, any listed app may have taken part, and registrations that the journal has lost are
    /// contained as far as the agent has hold of them. Whose they are is not known, so that all apps of that user owe what is left
    /// of them.
    mutating func agentHolds(_ instances: [Instance], _ uid: UInt32) {
        guard let barrier = ledger.barrier, barrier.lost != nil else { return }
        if !barrier.closed {
            for id in policy.apps.keys.sorted() where ledger.roster[AppKey(uid: uid, id: id)] == nil {
                write(.entry(AppKey(uid: uid, id: id), RosterEntry(listed: true, proven: false)))
            }
        }
        let unknown = instances.filter { ledger.registrations[$0] == nil }
        guard !unknown.isEmpty, !barrier.closed || barrier.ended else { return }
        let row = Self.gone(uid)
        for instance in unknown {
            write(.registration(instance, Registration(app: row, sender: "", pid: 0, connected: false)))
        }
        if ledger.roster[row] == nil { write(.entry(row, RosterEntry(listed: false, proven: false))) }
        updateEntry(row) {
            $0.state = barrier.ended ? .unproven : .pending
            let count = UInt32(clamping: unknown.count)
            $0.apps = min($0.apps ?? 0, .max - count) + count
        }
        let next = max(ledger.device.nextInstance, min(unknown.max() ?? 0, Instance.greatest.previous).next)
        updateDevice { $0.nextInstance = next }
    }

    /// Before anything else is asked of it: what an agent does not watch it cannot contain.
    mutating func agentArrived(_ number: AgentNumber, _ now: Moment) {
        if let agent, agent != number { agentLost(agent, now) }
        agent = number
        tell(.prepare(ledger.registrations.keys.sorted().compactMap(watchPlan)))
    }

    /// What an agent that has left did not answer, the next one is asked for; what it answers all the same is about what was
    /// there in its time.
    mutating func agentReported(_ number: AgentNumber, _ report: AgentReport, _ now: Moment) {
        if case .exited(let instance) = report {
            if number == agent { noteEnd(of: instance) }
            return processExited(instance, now)
        }
        guard number == agent else {
            return emit(.log(.outOfPlace(.agentReport)))
        }
        switch report {
        case .watch(let plan, let watch): watched(plan, watch)
        case .exited: break
        case .contained(let app, let containment): contained(app, containment, now)
        case .browserSignedOut(let epoch, let check, let text, let checks):
            browserSignedOut(epoch, check, text, checks, now)
        case .sharedHoldersCleared(let epoch, let holders): sharedHoldersCleared(epoch, holders)
        case .signInBrowserClosed(let clean): signInBrowserClosed(clean)
        case .locked(let epoch, let isCovered, let lasts): locked(epoch, isCovered: isCovered, lasts: lasts, now)
        case .unlocked(let epoch): asked.remove(.unlocked(epoch))
        case .startPage(let isShown): startPage(isShown: isShown, now)
        case .idle(let epoch, let since): idle(epoch, since: since, now)
        }
    }

    mutating func agentRegistered(_ number: AgentNumber, _ now: Moment) {
        guard number == agent else {
            return emit(.log(.outOfPlace(.registration)))
        }
        agentPresent = true
        agentAwaySince = nil
        // The same agent may have registered once more.
        withdraw()
        notePage(now)
        emit(.publish)
        // A page may be left of a sign-in that this supervisor or the one before it had to give up.
        if sealed == .openSignInPage || ledger.device.turn == nil && signIn?.call == nil { tell(.closeSignIn) }
        prepareTurn()
        guard let barrier = ledger.barrier else {
            // Before anything of the turn is shown again.
            if lock != nil { askToLock() }
            return beginTurn()
        }
        if barrier.ended {
            // What the agent before this one was asked, it does not answer any more.
            updateBarrier { $0.retries.ends = 0 }
            return retry(now)
        }
        if barrier.waitsForAgent {
            let policy = policy
            updateBarrier {
                $0.goOn()
                $0.started = now.monotonic
                $0.soft = now.monotonic.adding(policy.soft)
                $0.hard = now.monotonic.adding(policy.hard)
                $0.absolute = now.monotonic.adding(policy.absolute)
            }
            for (app, entry) in ledger.roster where entry.state == .containing {
                updateEntry(app) { $0.containmentEnds = now.monotonic.adding(policy.absolute) }
            }
            emit(.publish)
            announceSigningOut()
            return askAll(now, beginning: true)
        }
        agentCameLate = true
        updateBarrier {
            if $0.browser == .failed { $0.browser = nil }
            if $0.shared?.contains(where: { $0.outcome == .failed }) == true { $0.shared = nil }
        }
        askAll(now)
    }

    /// Until when a required agent that is away may come back, CLOCK_MONOTONIC in microseconds; nil: it is there, or none is
    /// required.
    public var agentDue: UInt64? { policy.agentRequired ? agentAwaySince?.adding(policy.agentGrace) : nil }

    mutating func agentLost(_ number: AgentNumber, _ now: Moment) {
        guard number == agent else { return }
        agent = nil
        watched = [:]
        endedInstances = [:]
        // Also of one that spoke of its page before it was known.
        (isPageShown, pageCameLate) = (false, false)
        guard agentPresent else { return }
        agentPresent = false
        agentAwaySince = now.monotonic
        asked = []
        refuseLocking(.agentMissing)
        loseLock(now)
        notePage(now)
        emit(.publish)
        // Its page went with the agent, so that sign-in cannot be finished, and it is not known whether it is closed.
        if signIn?.usesBrowser == true { abandon(.byAgentOrAdministrator, again: false) }
        if signInAgain?.usesBrowser == true { abandon(.byAgentOrAdministrator, again: true) }
        if let signIn, signIn.call == nil { seal(.openSignInPage) }
        if ledger.barrier?.ended == true { concludeRetry(now) }
        if ledger.barrier == nil {
            refuseResetting()
            answerWaiting()
        }
    }
}
