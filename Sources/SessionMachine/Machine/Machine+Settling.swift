import Vocabulary

extension Machine {
    struct Ghost {
        var instance: Instance
        var registration: Registration
    }

    /// Instances that left the bus while their process may still be alive.
    func ghosts(of app: AppKey) -> [Ghost] {
        (ledger.instancesByApp[app] ?? []).compactMap { instance in
            guard let registration = ledger.registrations[instance], !registration.connected else { return nil }
            return Ghost(instance: instance, registration: registration)
        }
    }

    /// Every instance on the bus has cleared, and no process of an earlier instance can still hold anything.
    func isPaid(_ app: AppKey) -> Bool {
        let all = (ledger.instancesByApp[app] ?? []).compactMap { ledger.registrations[$0] }
        let connected = all.filter(\.connected)
        guard !connected.isEmpty, connected.allSatisfy({ owes($0) == 0 }) else { return false }
        if mustBeProven(app), !connected.contains(where: \.proven) { return false }
        if let from = ledger.apps[app]?.paidFrom, !hasInstance(of: app, from: from) { return false }
        // One process is one memory: its word counts for all its connections.
        return all.allSatisfy { ghost in ghost.connected || connected.contains { $0.pid == ghost.pid } }
    }

    /// Only an instance that showed its token pays for it.
    func mustBeProven(_ app: AppKey) -> Bool {
        ledger.apps[app]?.debtNeedsProof == true || ledger.roster[app]?.proven == true
    }

    private func hasInstance(of app: AppKey, from first: Instance) -> Bool {
        (ledger.instancesByApp[app] ?? []).contains { $0 >= first && ledger.registrations[$0]?.connected == true }
    }

    var isStepOpen: Bool { ledger.barrier.map { !$0.ended && !$0.closed } ?? false }

    func hard(of app: AppKey) -> UInt64 {
        let own = ledger.roster[app]?.hard ?? 0
        return own != 0 ? own : ledger.barrier?.hard ?? 0
    }

    /// Pays what the app owes of earlier epochs, once all of it has cleared.
    mutating func settleDebts(_ app: AppKey, _ now: Moment) {
        guard let owed = ledger.apps[app]?.owed, isPaid(app) else { return }
        // While its roster entry is open, paying is what settles that; `review` does both.
        if isStepOpen, ledger.roster[app]?.isOpen == true { return }
        discharge(app, through: owed)
    }

    mutating func discharge(_ app: AppKey, through epoch: Epoch) {
        updateApp(app) {
            $0.paidFrom = nil
            $0.clearedThrough = max($0.clearedThrough, epoch)
            guard let owed = $0.owed, owed <= epoch else { return }
            $0.owed = nil
            $0.owedSince = nil
            $0.debtNeedsProof = false
        }
        // What is paid for needs no watching any more.
        for ghost in ghosts(of: app) where phase != .inUse { write(.registration(ghost.instance, nil)) }
    }

    /// Looks whether an app's roster entry can be settled now, or must be contained.
    mutating func review(_ app: AppKey, _ now: Moment, beginning: Bool = false) {
        guard let barrier = ledger.barrier, let entry = ledger.roster[app] else { return }
        if barrier.ended { return reviewQuarantined(app, entry, now) }
        guard !barrier.closed, !barrier.waitsForAgent else { return }
        switch entry.state {
        case .cleared, .contained: return
        case .containing:
            // Its word came too late to stop the agent, whose report decides.
            return
        case .owed, .unproven:
            if isPaid(app) { settle(app, .cleared, now) }
        case .pending:
            let all = (ledger.instancesByApp[app] ?? []).compactMap { ledger.registrations[$0] }
            if isPaid(app) || hasLeftCleanly(app, all) {
                settle(app, .cleared, now)
            } else if !all.contains(where: \.connected) {
                // It may come back and clear until the soft deadline, unless it was away from the begin.
                if beginning || now.monotonic >= barrier.soft {
                    settleAbsent(app, entry, now)
                }
            } else if now.monotonic >= hard(of: app) {
                contain(app, now, [.noAcknowledgement])
            }
        }
    }

    private func hasLeftCleanly(_ app: AppKey, _ instances: [Registration]) -> Bool {
        guard instances.isEmpty, ledger.apps[app]?.paidFrom == nil, let barrier = ledger.barrier else { return false }
        return (ledger.apps[app]?.clearedThrough ?? 0) >= barrier.epoch
    }

    private mutating func settleAbsent(_ app: AppKey, _ entry: RosterEntry, _ now: Moment) {
        if entry.listed || !ghosts(of: app).isEmpty {
            let isLost = Self.isTogether(app)
            contain(app, now, isLost ? [.unknownApps] : [.notRunning])
        } else {
            settle(app, .owed, now, explanation: [.notRunningDataUnknown])
        }
    }

    mutating func settle(
        _ app: AppKey, _ state: RosterEntry.State, _ now: Moment, proof: Proof? = nil, explanation: Explanation = []
    ) {
        guard let barrier = ledger.barrier else { return }
        endedUnasked.remove(app)
        updateEntry(app) {
            $0.state = state
            $0.containmentEnds = 0
            $0.took = now.monotonic.subtracting(barrier.started)
            $0.proof = proof
            $0.explanation = explanation
        }
        switch state {
        case .cleared: discharge(app, through: barrier.epoch)
        case .contained:
            // A registration may have joined after the agent was asked; that one still has to clear.
            let rest = (ledger.instancesByApp[app] ?? []).compactMap { ledger.registrations[$0] }
            if rest.contains(where: { !$0.connected || owes($0) != 0 }) {
                owe(app, barrier.epoch, proven: ledger.roster[app]?.proven ?? false)
            } else {
                discharge(app, through: barrier.epoch)
            }
        case .owed: owe(app, barrier.epoch, proven: ledger.roster[app]?.proven ?? false)
        case .pending, .containing, .unproven: break
        }
    }

    // MARK: Containment

    mutating func contain(_ app: AppKey, _ now: Moment, _ why: Explanation) {
        guard let barrier = ledger.barrier, let entry = ledger.roster[app], entry.state != .containing else { return }
        let limit = barrier.ended ? .max : barrier.absolute
        let from = barrier.ended ? now.monotonic : max(now.monotonic, barrier.hard)
        let ends = min(from.adding(policy.containment), limit)
        updateEntry(app) {
            $0.state = .containing
            $0.containmentEnds = ends
            $0.explanation = why
        }
        askToContain(app)
    }

    mutating func contained(_ app: AppKey, _ report: Containment, _ now: Moment) {
        asked.remove(.contained(app, report.instances))
        withdraw(app)
        let report = judged(report, app)
        if report.outcome != .failed { forgetEnded(report.instances, of: app) }
        guard let barrier = ledger.barrier, barrier.epoch == report.epoch, let entry = ledger.roster[app],
            entry.state == .containing
        else { return emit(.log(.outOfPlace(.containment))) }
        guard report.outcome != .failed else {
            let explanation: Explanation = report.explanation.isEmpty ? [.containmentFailed] : report.explanation
            let state: RosterEntry.State = isPaid(app) ? .cleared : .unproven
            return settle(app, state, now, proof: report.proof, explanation: state == .cleared ? [] : explanation)
        }
        let hadAcknowledged = isPaid(app)
        let mayHaveWritten = endedUnasked.remove(app) != nil && !hadAcknowledged
        for instance in report.instances {
            guard let registration = ledger.registrations[instance], registration.app == app else { continue }
            // The end of its process may be told before this answer or after it; only a wipe makes up for what it wrote.
            if report.outcome == .stopped { noteSilentEnd(instance, registration) }
            write(.registration(instance, nil))
        }
        let isClear = report.outcome == .contained || hadAcknowledged || isPaid(app)
        settle(app, isClear ? .contained : .owed, now, proof: report.proof, explanation: entry.explanation)
        if mayHaveWritten { owe(app, barrier.epoch, proven: entry.proven) }
    }

    /// Process ids alone prove nothing of an app that the agent starts.
    private func judged(_ report: Containment, _ app: AppKey) -> Containment {
        guard report.outcome != .failed, report.proof == .pid, policy.apps[app.id]?.needsStrongProof == true,
            ledger.roster[app]?.listed == true
        else { return report }
        var report = report
        report.outcome = .failed
        report.explanation.parts.append(.weakProof)
        return report
    }
}
