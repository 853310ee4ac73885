import Vocabulary

/// The Unix users of the turns: the next one is chosen while the one before it goes on, so that what the next worker needs can be
/// started before it ends, and the slice of each is ended by its sign-out.
extension Machine {
    // MARK: Choosing

    /// Asks for a user of whom nothing is left, for the next turn. Not in a sign-out, which has no time for it.
    mutating func chooseTurnUser() {
        guard policy.hasTurnUsers, !choosesTurnUser, ledger.barrier == nil, ledger.device.nextUser == nil else {
            return
        }
        choosesTurnUser = true
        emit(.chooseTurnUser(after: ledger.device.lastUser, beside: turnUser))
    }

    /// - Parameter user: Nil: of each of them something is left.
    mutating func turnUserChosen(_ user: TurnUser?, _ now: Moment) {
        guard choosesTurnUser else { return emit(.log(.outOfPlace(.turnUser))) }
        choosesTurnUser = false
        // The look may have come before the first program of the turn that goes on.
        if let user, policy.turnUsers.contains(user.uid), user != turnUser {
            updateDevice { $0.nextUser = user }
            // A page that was asked for before opens as that user.
            if signIn?.usesBrowser == true { markTurnUser() }
            prepareTurn()
        }
        settleMissingTurnUser()
        guard let current = signIn, let holder = current.proven else { return }
        signInSucceeded(current.attempt, holder, now)
    }

    /// The start page and all that is made ready for the next turn run as its user.
    mutating func prepareTurn() {
        guard agentPresent, ledger.barrier == nil, let user = ledger.device.nextUser else { return }
        tell(.prepareTurn(user, beside: ledger.device.turn?.epoch))
    }

    /// A sign-in opens its page as the next turn's user. If nothing comes of it, that was this user's turn.
    mutating func markTurnUser() {
        updateDevice { $0.lastUser = $0.nextUser ?? $0.lastUser }
    }

    /// A sign-in without success is over, and what the agent has made ready with it. Whatever the person at the page has left
    /// there is not to meet the next worker.
    mutating func renewTurnUser() {
        // Another sign-in may have opened its page meanwhile.
        guard policy.hasTurnUsers, signIn?.call == nil || signIn?.usesBrowser == false else { return }
        retireTurnUser()
        chooseTurnUser()
        prepareTurn()
    }

    private mutating func retireTurnUser() {
        guard let next = ledger.device.nextUser, next == ledger.device.lastUser else { return }
        updateDevice { $0.nextUser = nil }
    }

    /// No turn can begin without a user.
    mutating func settleMissingTurnUser() {
        guard policy.hasTurnUsers, !choosesTurnUser else { return }
        if ledger.device.nextUser == nil {
            if phase == .ready || phase == .signingIn {
                if let current = signIn, current.call != nil { emit(.abandon(current.attempt)) }
                finishSignIn(.quarantined)
                seal(.noTurnUser)
            }
            guard sealed == .noTurnUser else { return }
            refuseResetting()
            return answerWaiting()
        }
        endLackOfTurnUser()
    }

    private mutating func endLackOfTurnUser() {
        guard sealed == .noTurnUser else { return }
        unseal()
        // Of a sign-in that this has ended a page may be left.
        if agentPresent { tell(.closeSignIn) }
        replyToResetting(.receipt(nil))
        answerWaiting()
    }

    /// The settings may have changed whether turns have users.
    mutating func adoptTurnUsers() {
        guard !policy.hasTurnUsers else { return chooseTurnUser() }
        updateDevice { $0.nextUser = nil }
        endLackOfTurnUser()
    }

    /// Of a supervisor that starts: what runs of another turn than the one that goes on, or comes next, is not known to any.
    mutating func startTurnUsers(isNewBoot: Bool) {
        // Whose turn runs is not known without a journal.
        guard !hasNoJournal else { return }
        guard policy.hasTurnUsers else { return adoptTurnUsers() }
        // Another boot has other processes and files: it is looked at anew.
        if isNewBoot || !(ledger.device.nextUser.map { policy.turnUsers.contains($0.uid) } ?? true) {
            updateDevice { $0.nextUser = nil }
        }
        retireTurnUser()
        emit(.endTurns(except: [turnUser, ledger.device.nextUser].compactMap(\.self)))
        chooseTurnUser()
    }

    /// Of the open turn, or of the one whose end is not done.
    public var turnUser: TurnUser? { ledger.barrier?.user ?? ledger.device.turn?.user }

    // MARK: Ending

    /// There is no slice to end, or the kernel has said what is in it.
    func isTurnEnded(_ barrier: Barrier) -> Bool { barrier.user == nil || barrier.turn != nil }

    /// When it is ended though apps and browser are not: the rest of the time is for what comes after it. CLOCK_MONOTONIC in
    /// microseconds.
    package func turnDeadline(_ barrier: Barrier) -> UInt64 {
        let rest = barrier.absolute.subtracting(barrier.started) / 5
        return max(barrier.hard, barrier.absolute.subtracting(rest))
    }

    /// Nothing is waited for but programs of the turn's that have had their time, or have left the bus: the end of its slice is
    /// theirs, and sooner there than an agent's word about a process that it may not even find.
    func endsOnlyWithTurn(_ barrier: Barrier) -> Bool {
        guard let user = barrier.user, barrier.turn == nil, barrier.browser != nil else { return false }
        return ledger.roster.allSatisfy { app, entry in
            !entry.isOpen || entry.state == .containing && app.uid == user.uid
        }
    }

    /// Ends all that runs as the turn's user. batond does that itself: agent, bus and display may hang.
    mutating func endTurn() {
        guard let barrier = ledger.barrier, let user = barrier.user, !endsTurn else { return }
        endsTurn = true
        emit(.endTurn(barrier.epoch, user, limit: policy.absolute / 5))
    }

    mutating func turnEnded(_ epoch: Epoch, _ end: TurnEnd, _ now: Moment) {
        guard endsTurn, let barrier = ledger.barrier, barrier.epoch == epoch, let user = barrier.user else {
            return emit(.log(.outOfPlace(.turnEnd)))
        }
        endsTurn = false
        let row =
            switch end {
            case .empty: Barrier.Check(name: Self.turnRow, outcome: .clean, explanation: "ended, proof: slice")
            case .populated:
                Barrier.Check(name: Self.turnRow, outcome: .failed, explanation: "processes of it still run")
            case .unknown(let why): Barrier.Check(name: Self.turnRow, outcome: .failed, explanation: why)
            }
        updateBarrier { $0.turn = row }
        guard end == .empty else { return }
        forget(user, now)
        // No program of the turn can reach the next one's page any more; what is left to clear is no reason to wait with it.
        if agentPresent, let next = ledger.device.nextUser { tell(.prepareTurn(next, beside: nil)) }
        // An answer that comes when the quarantine has begun may be all that was missing.
        if barrier.ended, barrier.retries.ends == 0 { retry(now) }
    }

    static let turnRow = "turn"

    /// Without a user of its own, nothing tells a turn's programs from others of the same user.
    func turnCheck(of barrier: Barrier) -> Barrier.Check? {
        if let turn = barrier.turn { return turn }
        guard barrier.user == nil else { return nil }
        return Barrier.Check(name: Self.turnRow, outcome: .unchecked, explanation: "turns have no users of their own")
    }

    /// Nothing of that user is left: its apps have ended, with all that they wrote.
    private mutating func forget(_ user: TurnUser, _ now: Moment) {
        for (app, entry) in ledger.roster.sorted(by: { $0.key < $1.key })
        where app.uid == user.uid && entry.state != .cleared && entry.state != .contained {
            withdraw(app)
            settle(app, .contained, now, proof: .slice, explanation: entry.explanation)
        }
        for (instance, registration) in ledger.registrations.sorted(by: { $0.key < $1.key })
        where registration.app.uid == user.uid {
            write(.registration(instance, nil))
        }
        for app in ledger.apps.keys.sorted() where app.uid == user.uid { write(.app(app, nil)) }
    }

    /// A process of an earlier turn, or of one that has not begun, has no say.
    public func isOfOtherTurn(uid: UInt32) -> Bool {
        policy.turnUsers.contains(uid) && uid != ledger.device.turn?.user?.uid
    }
}
