public import Vocabulary

extension Machine {
    public var phase: Phase {
        if let barrier = ledger.barrier { return barrier.ended ? .quarantined : .clearing }
        if sealed != nil { return .quarantined }
        if ledger.device.turn != nil { return .inUse }
        return signIn == nil ? .ready : .signingIn
    }

    public var epoch: Epoch { ledger.device.epoch }
    public var mode: Mode { ledger.device.mode }
    public var holder: TurnAccount? { ledger.device.turn?.holder }
    public var holderSince: Int64? { ledger.device.turn?.when }
    /// When that turn began: the open one, or the one whose end is not done.
    public func begin(of epoch: Epoch) -> Ledger.Begin? {
        if let barrier = ledger.barrier, barrier.epoch == epoch, let began = barrier.began { return began }
        guard let turn = ledger.device.turn, turn.epoch == epoch else { return nil }
        return turn.begin
    }

    public var isAgentPresent: Bool { agentPresent }
    public var isJournalBroken: Bool { journalBroken }
    public var connectedParticipants: Int { ledger.registrations.values.count(where: \.connected) }

    /// Why the device is quarantined; nil when it is not.
    public var quarantineExplanation: Explanation? {
        guard phase == .quarantined else { return nil }
        if let sealed { return [.sealed(sealed)] }
        return ledger.quarantined?.explanation ?? ledger.barrier?.doomed ?? ledger.barrier?.lost ?? []
    }

    /// The holder of the last ended epoch, as long as the settings remember them.
    public func previous(at now: Moment) -> TurnAccount? {
        guard let previous = ledger.device.previous else { return nil }
        switch policy.remembersPrevious {
        case .always: return previous.holder
        case .off: return nil
        case .duration(let span): return Self.age(of: previous, now) < span ? previous.holder : nil
        }
    }

    /// Microseconds since a turn ended; 0 when the clock was set back.
    static func age(of turn: Ledger.TurnRecord, _ now: Moment) -> UInt64 {
        let (difference, overflow) = now.wall.subtractingReportingOverflow(turn.when)
        return overflow ? .max : UInt64(max(0, difference))
    }

    /// The hard deadline of the barrier (CLOCK_MONOTONIC), or that of an automatic sign-out or of a lock (CLOCK_BOOTTIME), else 0.
    public var deadline: UInt64 {
        if let barrier = ledger.barrier, !barrier.ended { return barrier.waitsForAgent ? 0 : barrier.hard }
        return [pending?.deadline, lock?.until].compactMap(\.self).min() ?? 0
    }

    /// What this registration must clear before it gets an account or a token; 0: nothing.
    package func owes(_ registration: Registration) -> Epoch {
        guard let barrier = ledger.barrier, !barrier.ended else { return registration.mustClear }
        return registration.hasCleared(barrier.epoch) ? 0 : barrier.epoch
    }

    /// Whether this connection's app was in the roster of an epoch: its own receipt may be read whole.
    package func tookPart(_ sender: Sender, in epoch: Epoch) -> Bool {
        audience?.epoch == epoch && audience?.senders.contains(sender) == true
    }

    /// What the apps of this connection must clear before it gets an account; 0 also for one that never registered.
    public func mustClear(_ sender: Sender) -> Epoch {
        var most: Epoch = 0
        for instance in ledger.instancesBySender[sender] ?? [] {
            if let registration = ledger.registrations[instance] { most = max(most, owes(registration)) }
        }
        return most
    }

    /// It said good-bye in this turn and is away: the sign-out asks nothing of it.
    public func hasLeft(_ app: AppKey) -> Bool {
        guard ledger.instancesByApp[app] == nil, let turn = ledger.device.turn else { return false }
        return ledger.apps[app]?.isClean(through: turn.epoch) ?? false
    }

    /// One registration with what status commands show of it.
    public struct RegistrationStatus: Sendable {
        public var instance: Instance
        public var registration: Registration
        public var owes: Epoch
        public var entry: RosterEntry?
        /// It has not answered and the soft deadline is over.
        public var slow: Bool
    }

    public func participants(at now: Moment) -> [RegistrationStatus] {
        let late = ledger.barrier.map { !$0.ended && !$0.waitsForAgent && now.monotonic >= $0.soft } ?? false
        return ledger.registrations.sorted { $0.key < $1.key }.map { instance, registration in
            let entry = ledger.roster[registration.app]
            return RegistrationStatus(
                instance: instance, registration: registration, owes: owes(registration), entry: entry,
                slow: late && entry?.isOpen == true && owes(registration) != 0)
        }
    }

    /// Microseconds until the machine wants a `tick`; nil: never, unless something happens.
    public func nextAlarm(at now: Moment) -> UInt64? {
        var delays: [UInt64] = []
        func monotonic(_ deadline: UInt64) { delays.append(deadline.subtracting(now.monotonic)) }
        if let signIn, signIn.call != nil { monotonic(signIn.deadline) }
        if let signInAgain { monotonic(signInAgain.deadline) }
        if let pageDeadline { monotonic(pageDeadline) }
        if let pending { delays.append(pending.deadline.subtracting(now.boottime)) }
        if let left = turnCountdown(now) { delays.append(left) }
        if let left = idleCountdown(now) { delays.append(left) }
        if mode == .shared, let lock { delays.append(lock.until.subtracting(now.boottime)) }
        if phase == .inUse, let agentDue { monotonic(agentDue) }
        if case .duration(let span) = policy.remembersPrevious, let previous = ledger.device.previous {
            let left = span.subtracting(Self.age(of: previous, now))
            if left > 0 { delays.append(left) }
        }
        if let barrier = ledger.barrier { barrierAlarms(barrier, now, monotonic) }
        return delays.min()
    }

    private func barrierAlarms(_ barrier: Barrier, _ now: Moment, _ add: (UInt64) -> Void) {
        if barrier.ended {
            if barrier.retries.ends != 0 { add(barrier.retries.ends) }
            if let agentDeadline = agentDeadline(barrier) { add(agentDeadline) }
            return
        }
        guard !barrier.waitsForAgent else { return }
        add(barrier.absolute)
        if !isTurnEnded(barrier), !endsTurn { add(turnDeadline(barrier)) }
        if now.monotonic < barrier.hard { add(barrier.hard) }
        if barrier.provider == nil, let ends = barrier.providerEnds { add(ends) }
        guard !barrier.closed else { return }
        if now.monotonic < barrier.soft { add(barrier.soft) }
        for entry in ledger.roster.values {
            if entry.state == .pending, entry.hard > now.monotonic { add(entry.hard) }
            if entry.state == .containing { add(entry.containmentEnds) }
        }
    }
}

extension Ledger.TurnRecord {
    var begin: Ledger.Begin { began ?? Ledger.Begin(wall: when, boottime: nil, bootID: "") }
}
