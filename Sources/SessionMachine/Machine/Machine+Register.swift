import Vocabulary

extension Machine {
    mutating func register(_ call: Call, _ request: Registering, _ now: Moment) {
        // The journal reads no greater number back; only one that was tampered with comes near it.
        guard ledger.device.nextInstance < .greatest else { return refuse(call, .failed) }
        // It would be asked to clear a turn that may still be open, and taken for clean of it when that goes on.
        if hasNoJournal { return refuse(call, .journalFailed) }
        if let refusal = refusal(of: request) { return refuse(call, refusal) }
        // A supervisor that is killed now would not know of it, and the sign-out would pass it over. Once a barrier runs,
        // its mark quarantines the device instead.
        if journalBroken, ledger.device.turn != nil, ledger.barrier == nil {
            return refuseUnwritten(call)
        }
        let clearThrough = clearThrough(of: request)
        supersede(request)
        makeRoom()
        let instance = ledger.device.nextInstance
        updateDevice { $0.nextInstance = $0.nextInstance.next }
        let registration = Registration(
            app: request.app, sender: request.sender, pid: request.pid, proven: request.proven,
            mustClear: clearThrough, told: clearThrough)
        write(.registration(instance, registration))
        record(request, clearThrough)
        if ledger.device.turn != nil { enter(registration, now) }
        // Said before the answer: who asks for it waits until the agent has been asked.
        askToWatch(instance)
        reply(
            call,
            .registered(
                Answer.Registered(
                    instance: instance, epoch: epoch, phase: phase, clearThrough: clearThrough,
                    holder: clearThrough == 0 && phase == .inUse ? holder : nil)))
    }

    private func refusal(of request: Registering) -> Refusal? {
        if isOfOtherTurn(uid: request.app.uid) { return .otherTurn }
        let mine = (ledger.instancesBySender[request.sender] ?? []).compactMap { ledger.registrations[$0] }
        if let other = mine.first(where: { $0.app != request.app }) { return .anotherApp(registered: other.app.id) }
        if !isListed(request.app), !policy.acceptsUnlistedApps { return .unlistedApp }
        if request.mustProve, !request.proven { return .proofNeeded }
        // Registering again on the same connection takes no more room.
        guard mine.isEmpty else { return nil }
        let sameApp = (ledger.instancesByApp[request.app] ?? []).compactMap { ledger.registrations[$0] }
        if sameApp.count(where: \.connected) >= policy.connectionsPerApp {
            return .tooManyConnections(limit: policy.connectionsPerApp)
        }
        let isNew = ledger.roster[request.app] == nil && sameApp.isEmpty
        let uid = request.app.uid
        // One process leaves some of its user's places to the others.
        let share = policy.participantsPerUser - policy.participantsPerUser / 8
        let ofProcess = ledger.registrations.values.count { $0.app.uid == uid && $0.pid == request.pid }
        if !isListed(request.app), ofProcess >= share { return .tooManyForProcess(limit: share) }
        func full(_ limit: Int, _ isCounted: (AppKey) -> Bool) -> Bool {
            if ledger.registrations.values.count(where: { isCounted($0.app) }) >= limit { return true }
            // Apps that came and went in this turn stay in the roster beside those that are there. While the worker is in
            // they are gathered, so that they take no other app's place; in a sign-out this bounds them.
            return isNew && !isListed(request.app) && ledger.roster.keys.count(where: isCounted) >= limit * 2
        }
        if full(policy.participantsPerUser, { $0.uid == uid }) {
            return .tooManyForUser(limit: policy.participantsPerUser)
        }
        if full(policy.participants, { _ in true }) { return .tooManyParticipants(limit: policy.participants) }
        if !isListed(request.app), ledger.apps[request.app] == nil {
            // Those that are there have been counted, and can pay.
            let debts = ledger.apps.count { app, record in
                app.uid == uid && record.owed != nil && !Self.isTogether(app)
                    && !(ledger.instancesByApp[app] ?? []).contains { ledger.registrations[$0]?.connected == true }
            }
            if debts >= policy.debtsPerUser { return .tooManyDebts(limit: policy.debtsPerUser) }
        }
        return nil
    }

    /// The epoch that this instance must clear first; 0: it is clean.
    private func clearThrough(of request: Registering) -> Epoch {
        if let barrier = ledger.barrier, !barrier.ended { return barrier.epoch }
        let last = ledger.lastEnded
        guard last > 0 else { return 0 }
        if let known = ledger.apps[request.app] {
            if let owed = known.owed { return max(owed, last) }
            if request.clearedThrough == 0, known.clearedThrough >= last, hasTakenPart(request.app) { return 0 }
            return min(known.clearedThrough, request.clearedThrough) < last ? last : 0
        }
        // It may be one of those that are not kept by name.
        if let owed = owedTogether(request.app.uid) { return max(owed, last) }
        if request.clearedThrough >= last { return request.clearedThrough == last ? 0 : last }
        // Without a word, an app that the journal never saw is new; not so where the journal itself is new.
        return request.clearedThrough == 0 && ledger.device.born == 0 ? 0 : last
    }

    /// It registered in this turn, and so in this boot. An app that remembers no epoch and registers again, as after a
    /// restart of the supervisor or its own, holds nothing but the present worker's work, which it would lose.
    private func hasTakenPart(_ app: AppKey) -> Bool {
        ledger.device.turn != nil && ledger.roster[app] != nil
    }

    /// The same process under a new instance: the old one's claim to speak ends.
    private mutating func supersede(_ request: Registering) {
        for instance in ledger.instancesByApp[request.app] ?? [] {
            guard let old = ledger.registrations[instance] else { continue }
            if (old.connected && old.sender == request.sender)
                || (!old.connected && old.pid == request.pid && !old.processGone)
            {
                write(.registration(instance, nil))
            }
        }
    }

    private mutating func record(_ request: Registering, _ clearThrough: Epoch) {
        let last = ledger.lastEnded
        let clearing = ledger.barrier.map { !$0.ended && !$0.closed } ?? false
        if ledger.apps[request.app] == nil {
            write(.app(request.app, AppRecord(clearedThrough: clearThrough == 0 ? last : 0)))
        }
        // While the participants step is open, the roster holds it; else what it must clear is a debt.
        if clearThrough > 0, !clearing { owe(request.app, clearThrough, proven: request.proven) }
    }

    mutating func owe(_ app: AppKey, _ epoch: Epoch, proven: Bool) {
        updateApp(app) {
            $0.owed = max($0.owed ?? 0, epoch)
            $0.owedSince = $0.owedSince ?? epoch
            $0.debtNeedsProof = $0.debtNeedsProof || proven
        }
    }

    /// Clean apps that nothing refers to need no row: unknown and clean come to the same.
    private mutating func makeRoom() {
        guard ledger.apps.count >= policy.participants * 2 else { return }
        let idle = ledger.apps.filter { key, app in
            app.owed == nil && ledger.roster[key] == nil && ledger.instancesByApp[key] == nil
        }
        for (key, _) in idle.sorted(by: { $0.key < $1.key }) { write(.app(key, nil)) }
    }

    func isListed(_ app: AppKey) -> Bool { policy.apps[app.id] != nil }

    /// Puts an app that is registered at this moment into the roster of the open epoch.
    mutating func enter(_ registration: Registration) {
        let listed = isListed(registration.app)
        let app = registration.app
        if ledger.roster[app] == nil {
            write(.entry(app, RosterEntry(listed: listed, proven: registration.proven)))
        } else {
            updateEntry(app) {
                $0.proven = $0.proven || registration.proven
                $0.listed = $0.listed || listed
            }
        }
        // What it had cleared before this turn says nothing about this turn.
        if let record = ledger.apps[app], record.clearedThrough > ledger.lastEnded, ledger.barrier == nil {
            let last = ledger.lastEnded
            updateApp(app) { $0.clearedThrough = last }
        }
    }

    /// The same with all that are on the bus.
    mutating func enterPresent() {
        for (_, registration) in ledger.registrations.sorted(by: { $0.key < $1.key }) where registration.connected {
            enter(registration)
        }
    }

    private mutating func enter(_ registration: Registration, _ now: Moment) {
        guard let barrier = ledger.barrier else { return enter(registration) }
        guard !barrier.ended else { return }
        guard !barrier.closed else { return owe(registration.app, barrier.epoch, proven: registration.proven) }
        let before = ledger.roster[registration.app]
        enter(registration)
        switch before?.state {
        case nil, .pending, .containing, .owed, .unproven: break
        case .cleared where now.monotonic < hard(of: registration.app):
            // An instance of it is on the bus that has not acknowledged, so it is not cleared any more.
            updateEntry(registration.app) { $0.state = .pending }
        case .cleared, .contained: owe(registration.app, barrier.epoch, proven: registration.proven)
        }
        review(registration.app, now)
    }
}
