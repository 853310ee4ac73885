import Vocabulary

extension Machine {
    mutating func acknowledge(_ call: Call, _ word: Acknowledging, _ now: Moment) {
        if let refusal = refusal(of: word) { return reject(call, word, refusal) }
        if ledger.registrations[word.instance]?.word?.epoch == word.epoch {
            promise(call)
            return
        }
        guard let app = ledger.registrations[word.instance]?.app else { return }
        updateRegistration(word.instance) {
            $0.word = Registration.Word(epoch: word.epoch, outcome: word.outcome)
            if word.outcome != .failed {
                if word.epoch >= $0.mustClear { $0.mustClear = 0 }
                $0.told = 0
            }
        }
        if ledger.barrier?.epoch == word.epoch {
            updateEntry(app) {
                if $0.said != .failed || word.outcome == .failed { $0.said = word.outcome }
                $0.details = word.details
            }
        }
        if word.outcome == .failed {
            if isStepOpen, ledger.barrier?.epoch == word.epoch { contain(app, now, [.saidFailed]) }
        } else {
            settleDebts(app, now)
            review(app, now)
        }
        promise(call)
    }

    private func refusal(of word: Acknowledging) -> Refusal? {
        guard let registration = ledger.registrations[word.instance], registration.connected else {
            return .notRegistered
        }
        guard registration.sender == word.sender else { return .notYours }
        if let said = registration.word, said.epoch == word.epoch {
            return said.outcome == word.outcome ? nil : .saidOtherwise(said.outcome)
        }
        let owed = owes(registration)
        let isExpected = word.epoch != 0 && (word.epoch == owed || word.epoch == registration.told)
        return isExpected ? nil : .staleEpoch(expected: owed)
    }

    mutating func extend(
        _ call: Call, _ sender: Sender, _ epoch: Epoch, _ instance: Instance, _ microseconds: UInt64, _ now: Moment
    ) {
        let word = Acknowledging(sender: sender, epoch: epoch, instance: instance, outcome: .failed)
        guard let registration = ledger.registrations[instance], registration.connected else {
            return reject(call, word, .notRegistered)
        }
        guard registration.sender == sender else { return reject(call, word, .notYours) }
        guard let barrier = ledger.barrier, !barrier.ended, barrier.epoch == epoch else {
            return reject(call, word, .staleEpoch(expected: owes(registration)))
        }
        guard let entry = ledger.roster[registration.app], entry.state == .pending, owes(registration) != 0,
            !barrier.waitsForAgent
        else { return refuse(call, .nothingToExtend) }
        guard entry.extensions < 2 else { return reject(call, word, .extendedEnough) }
        let latest = max(barrier.absolute.subtracting(policy.containment), hard(of: registration.app))
        let deadline = min(hard(of: registration.app).adding(microseconds), latest)
        updateEntry(registration.app) {
            $0.hard = deadline
            $0.extensions += 1
        }
        reply(call, .deadline(deadline))
    }

    mutating func leave(_ call: Call, _ sender: Sender, _ instance: Instance, _ now: Moment) {
        let word = Acknowledging(sender: sender, epoch: 0, instance: instance, outcome: .cleared)
        guard let registration = ledger.registrations[instance], registration.connected else {
            return reject(call, word, .notRegistered)
        }
        guard registration.sender == sender else { return reject(call, word, .notYours) }
        let app = registration.app
        // Its word covers everything so far, so it counts like an acknowledgement before the instance goes.
        let through = ledger.barrier?.epoch ?? ledger.device.epoch
        updateRegistration(instance) {
            $0.word = Registration.Word(epoch: through, outcome: .cleared)
            $0.mustClear = 0
            $0.told = 0
        }
        let others = (ledger.instancesByApp[app] ?? []).filter { $0 != instance }
            .compactMap { ledger.registrations[$0] }
        // A mere claim says nothing for an app that has to prove who it is.
        let isBelieved = registration.proven || !mustBeProven(app)
        if ledger.barrier == nil, isBelieved, others.allSatisfy({ $0.pid == registration.pid && !$0.connected }) {
            updateApp(app) { $0.clearedThrough = max($0.clearedThrough, through) }
        }
        updateEntry(app) { $0.said = $0.said ?? .cleared }
        settleDebts(app, now)
        review(app, now)
        write(.registration(instance, nil))
        for ghost in ghosts(of: app) where ghost.registration.pid == registration.pid {
            write(.registration(ghost.instance, nil))
        }
        review(app, now)
        gather(app)
        if journalBroken { refuse(call, .journalFailed) } else { reply(call, .done) }
    }

    mutating func disconnect(_ sender: Sender, _ now: Moment) {
        if signIn?.sender == sender { abandon(.byCaller, again: false) }
        if signInAgain?.sender == sender { abandon(.byCaller, again: true) }
        for instance in ledger.instancesBySender[sender] ?? [] { depart(instance, now) }
    }

    /// The connection left. Its process may live on with a worker's data in memory, so it is remembered.
    mutating func depart(_ instance: Instance, _ now: Moment) {
        guard let registration = ledger.registrations[instance], registration.connected else { return }
        let holdsSomething = owes(registration) != 0 || phase == .inUse
        if holdsSomething, !registration.processGone {
            for ghost in ghosts(of: registration.app) where ghost.registration.pid == registration.pid {
                write(.registration(ghost.instance, nil))
            }
            updateRegistration(instance) { $0.connected = false }
        } else {
            if registration.processGone { noteSilentEnd(instance, registration) }
            write(.registration(instance, nil))
        }
        review(registration.app, now)
        gather(registration.app)
    }

    mutating func processExited(_ instance: Instance, _ now: Moment) {
        if watched[instance] != nil { noteEnd(of: instance) }
        guard let registration = ledger.registrations[instance] else { return }
        if registration.connected {
            updateRegistration(instance) { $0.processGone = true }
        } else {
            noteSilentEnd(instance, registration)
            write(.registration(instance, nil))
            settleDebts(registration.app, now)
            review(registration.app, now)
            gather(registration.app)
        }
    }

    /// A process that had not cleared may have written until its end, after the others of its app had cleared. So only one
    /// that is asked to clear from now on pays: one that registers later, or any at the next sign-out.
    mutating func noteSilentEnd(_ instance: Instance, _ registration: Registration) {
        guard owes(registration) != 0 else { return }
        let next = ledger.device.nextInstance
        let app = registration.app
        updateApp(app) { $0.paidFrom = next }
        if ledger.roster[app]?.state == .containing, !isAskedToStop(instance, of: app) { endedUnasked.insert(app) }
    }

    /// The agent wipes after the end of whom it stops.
    private func isAskedToStop(_ instance: Instance, of app: AppKey) -> Bool {
        asked.contains { awaited in
            if case .contained(app, let instances) = awaited { instances.contains(instance) } else { false }
        }
    }

    mutating func forgetApp(_ call: Call, _ app: AppKey, _ now: Moment) {
        guard let record = ledger.apps[app] else { return refuse(call, .unknownApp) }
        guard record.owed != nil else { return promise(call) }
        let last = ledger.lastEnded
        updateApp(app) { $0 = AppRecord(clearedThrough: last) }
        for instance in ledger.instancesByApp[app] ?? [] {
            updateRegistration(instance) {
                $0.mustClear = 0
                $0.told = 0
            }
            if ledger.registrations[instance]?.connected == false, phase != .inUse {
                write(.registration(instance, nil))
            }
        }
        promise(call)
    }
}
