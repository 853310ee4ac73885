package import Vocabulary

/// The session's state machine: an event in, a list of effects out.
///
/// It does no I/O and has no clock. What must survive a crash is in `ledger`, and every change of it is in a `journal`
/// effect that stands first in the list; everything else is rebuilt from `started`.
public struct Machine: Hashable, Sendable {
    /// A sign-in in progress.
    package struct SignIn: Hashable, Sendable {
        package var attempt: Attempt
        /// The caller; nil once it has its answer and only the browser must still be closed.
        package var call: Call?
        package var sender: Sender
        package var deadline: UInt64
        /// The agent has opened a page for it.
        package var usesBrowser = false
        /// The screen is locked, and shown again when it succeeds; nil: it opens no lock.
        package var unlocks: UnlockProof?
        /// It has succeeded, and waits for the turn's user.
        package var proven: TurnAccount?
    }

    /// A call that waits for the end of the barrier, and its caller, whose process must live to hear the answer.
    package struct WaitingCall: Hashable, Sendable {
        package var call: Call
        package var sender: Sender?
    }

    /// The connections that a sign-out was announced to.
    package struct Audience: Hashable, Sendable {
        package var epoch: Epoch
        package var senders: Set<Sender>
    }

    /// A sign-out that comes by itself unless the worker says that they are still there.
    package struct Pending: Hashable, Sendable {
        package var reason: SignOutReason
        /// CLOCK_BOOTTIME in microseconds.
        package var deadline: UInt64
    }

    public package(set) var ledger: Ledger
    public internal(set) var policy: Policy

    package internal(set) var signIn: SignIn?
    /// The worker who holds the device proves themselves again.
    package internal(set) var signInAgain: SignIn?
    var attempts: Attempt = 0
    /// Calls that wait for the receipt of the barrier.
    package internal(set) var waiting: [WaitingCall] = []
    /// The call that changes the mode when the barrier ends.
    package internal(set) var modeCall: WaitingCall?
    package internal(set) var pending: Pending?
    /// When this batond began, CLOCK_BOOTTIME in microseconds.
    package internal(set) var started: UInt64 = 0
    /// The last input of the turn, CLOCK_BOOTTIME in microseconds, as long as neither a lock nor a countdown has come of it.
    package internal(set) var idleSince: UInt64?
    /// Calls that wait until the screen is covered for a lock.
    package internal(set) var locking: [Call] = []
    /// This agent has covered the screen for the lock, or has still to show that it can for one that an earlier agent covered.
    package internal(set) var isLockProven = false
    /// What covers the locked screen goes with the agent.
    package internal(set) var isLockFleeting = false
    /// The agent has not yet been told how the worker can come back by now.
    package internal(set) var isLockStale = false
    /// The turn for which no lock is tried by itself, since its screen could not be covered.
    var turnWithoutLock: Epoch?
    /// The turn whose worker has chosen a PIN. The hash is batond's, in memory alone, and so is this.
    package internal(set) var turnWithPIN: Epoch?
    /// When the worker has last said that they stay, CLOCK_BOOTTIME in microseconds; nil: not since the turn began, or since batond did.
    package internal(set) var stayed: UInt64?
    /// The machine waits for this sign-out before it sleeps or is switched off; nil: it waits for none.
    package internal(set) var powerDown: SignOutReason?
    /// From when it can be prepared until it leaves.
    package internal(set) var agent: AgentNumber?
    /// It is prepared and can be asked for anything.
    package internal(set) var agentPresent = false
    /// CLOCK_MONOTONIC in microseconds since when the agent is away; nil while it is there.
    package internal(set) var agentAwaySince: UInt64? = 0
    /// What was asked of the present agent and not answered yet.
    package internal(set) var asked: Set<Effect.Request.Awaited> = []
    /// The registrations whose process this agent holds on to.
    var watched: [Instance: AppKey] = [:]
    /// Those of whom it saw the process end in this turn: they have left the ledger, and what their processes have left running
    /// is contained with the app all the same.
    package internal(set) var endedInstances: [AppKey: [Instance]] = [:]
    /// Apps that are being contained and of which a process ended meanwhile that the agent was not asked to stop: it may have
    /// written after the wipe. Rebuilt by asking anew.
    package internal(set) var endedUnasked: Set<AppKey> = []
    /// Refused words about clearing since the turn began; they go into the barrier whenever it is written anyway.
    var rejections: [Barrier.Rejection] = []
    /// Of the newest sign-out; nil: none since the start.
    var audience: Audience?
    /// Of the turn that it names.
    var tokens = TokenTally(epoch: 0)
    package internal(set) var journalBroken = false
    /// It began without a journal, and knows neither who is signed in nor who has to clear what.
    let hasNoJournal: Bool
    package internal(set) var sealed: Seal?
    /// Administrators who wait until what a reset may not leave behind has ended, or has not.
    package internal(set) var resetting: [Call] = []
    /// The agent says that the start page is on the screen, where a browser is managed.
    package internal(set) var isPageShown = false
    /// CLOCK_MONOTONIC in microseconds since when it is not, as long as an agent is there.
    package internal(set) var pageMissingSince: UInt64?
    /// An agent has come while a barrier ran: what the one before it could not do, this one may.
    var agentCameLate = false
    /// The start page has come while a barrier or another try ran: what failed for want of it may be made up for.
    var pageCameLate = false
    /// A user is being chosen for the next turn.
    package internal(set) var choosesTurnUser = false
    /// The slice of the turn is being ended.
    package internal(set) var endsTurn = false
    /// In this try to leave the quarantine, the shared holders have been asked for already.
    package internal(set) var sharedAskedAgain = false

    // What the current event has produced so far.
    var records: [Record] = []
    var effects: [Effect] = []

    /// - Parameter sealed: Why the device is quarantined before anything has happened, as with an unreadable journal.
    public init(ledger: Ledger, policy: Policy, sealed: Seal? = nil) {
        self.ledger = ledger
        self.policy = policy
        self.sealed = sealed
        hasNoJournal = if case .unreadableJournal = sealed { true } else { false }
        // Nothing can be written, so no caller is promised anything; the mark belongs to other failures.
        journalBroken = hasNoJournal
    }

    /// Takes one event and answers with what is to be done, in order.
    public mutating func handle(_ event: Event) -> [Effect] {
        // Deadlines that passed before this event was sent count as passed, whichever of the two the supervisor saw first. A
        // start moves them, and another boot's clock says nothing about them; so does a late announcement.
        let sent = event.sent ?? event.at
        switch event.kind {
        case .started, .announcedLate: break
        default: expire(sent)
        }
        dispatch(event.kind, event.counts)
        if ledger.barrier?.ended == true { concludeRetry(event.at) } else { advance(sent) }
        allowPowerDown()
        defer {
            records = []
            effects = []
        }
        guard !records.isEmpty else { return effects }
        return [.journal(records)] + effects
    }

    private mutating func dispatch(_ kind: Event.Kind, _ now: Moment) {
        switch kind {
        case .started(let surroundings): start(surroundings, now)
        case .tick: break
        case .policyChanged(let policy):
            let hadPhones = self.policy.comesBackByPhone
            self.policy = policy
            notePage(now)
            adoptTurnUsers()
            if hadPhones != policy.comesBackByPhone { changePhones() }
        case .journalFailed: failJournal()
        case .journalRecovered: recoverJournal(now)
        case .announcedLate(let epoch, let delay): announcedLate(epoch, by: delay)
        case .register(let call, let request): register(call, request, now)
        case .acknowledge(let call, let word): acknowledge(call, word, now)
        case .extend(let call, let sender, let epoch, let instance, let microseconds):
            extend(call, sender, epoch, instance, microseconds, now)
        case .leave(let call, let sender, let instance): leave(call, sender, instance, now)
        case .refused(let word, let refusal): noteRejection(of: word, refusal)
        case .posedAsAgent(let sender): noteImpostor(sender)
        case .misused(let misuse): noteMisuse(misuse)
        case .disconnected(let sender): disconnect(sender, now)
        case .signIn(let call, let sender, let comesFirst):
            if comesFirst { giveWay(to: sender) }
            signIn(call, sender, now)
        case .cancelSignIn(let call, let sender, let privileged): cancelSignIn(call, sender, privileged)
        case .signInUsesBrowser(let attempt): signInUsesBrowser(attempt)
        case .signInSucceeded(let attempt, let holder): signInSucceeded(attempt, holder, now)
        case .signInFailed(let attempt, let refusal): signInFailed(attempt, refusal, now)
        case .providerPages(let pages, let epoch, let agent): beginTurn(epoch, with: pages, agent)
        case .signedOutAtProvider(let epoch, let report): signedOutAtProvider(epoch, report)
        case .signOut(let call, let epoch, let reason, let sender):
            signOut(WaitingCall(call: call, sender: sender), epoch, reason, now)
        case .forgetPrevious(let call, let epoch): forgetPrevious(call, epoch)
        case .automaticSignOutDue(let reason): automaticSignOutDue(reason, now)
        case .keepSignedIn(let call): keepSignedIn(call, now)
        case .lock(let call, let hasPIN, let withoutPIN): lock(call, hasPIN: hasPIN, withoutPIN: withoutPIN, now)
        case .unlock(let call, let sender, let proof): unlock(call, sender, by: proof, now)
        case .powersDown(let reason): powersDown(reason, now)
        case .staysUp: staysUp()
        case .agentHolds(let instances, let uid): agentHolds(instances, uid)
        case .agentArrived(let number): agentArrived(number, now)
        case .agentRegistered(let number): agentRegistered(number, now)
        case .agentLost(let number): agentLost(number, now)
        case .agentReported(let number, let report): agentReported(number, report, now)
        case .processExited(let instance): processExited(instance, now)
        case .turnUserChosen(let user): turnUserChosen(user, now)
        case .turnEnded(let epoch, let end): turnEnded(epoch, end, now)
        case .endQuarantine(let call): endQuarantine(call, now)
        case .forgetApp(let call, let app): forgetApp(call, app, now)
        case .setMode(let call, let mode, let sender): setMode(WaitingCall(call: call, sender: sender), mode, now)
        }
    }

    // MARK: The only ways to change the ledger and to have an effect.

    mutating func write(_ record: Record) {
        ledger.apply(record)
        records.append(record)
    }

    mutating func emit(_ effect: Effect) { effects.append(effect) }

    mutating func reply(_ call: Call, _ answer: Answer) { effects.append(.reply(call, answer)) }

    /// What the journal does not hold is promised to no caller.
    mutating func promise(_ call: Call) {
        if journalBroken { refuseUnwritten(call) } else { reply(call, .done) }
    }

    /// There may be nothing new to write, but only a try shows whether the journal can be written again.
    mutating func refuseUnwritten(_ call: Call) {
        write(.device(ledger.device))
        refuse(call, .journalFailed)
    }

    mutating func refuse(_ call: Call, _ refusal: Refusal) { reply(call, .refused(refusal)) }

    mutating func replyToWaiting(_ answer: Answer) {
        for each in waiting { reply(each.call, answer) }
        waiting = []
    }

    mutating func replyToResetting(_ answer: Answer) {
        for call in resetting { reply(call, answer) }
        resetting = []
    }

    mutating func updateDevice(_ change: (inout Ledger.DeviceRecord) -> Void) {
        var device = ledger.device
        change(&device)
        if device != ledger.device { write(.device(device)) }
    }

    mutating func updateBarrier(_ change: (inout Barrier) -> Void) {
        guard var barrier = ledger.barrier else { return }
        change(&barrier)
        guard barrier != ledger.barrier else { return }
        barrier.rejections = rejections
        write(.barrier(barrier))
    }

    mutating func updateEntry(_ app: AppKey, _ change: (inout RosterEntry) -> Void) {
        guard var entry = ledger.roster[app] else { return }
        change(&entry)
        if entry != ledger.roster[app] { write(.entry(app, entry)) }
    }

    mutating func updateApp(_ app: AppKey, _ change: (inout AppRecord) -> Void) {
        var record = ledger.apps[app] ?? AppRecord()
        change(&record)
        if record != ledger.apps[app] { write(.app(app, record)) }
    }

    mutating func updateRegistration(_ instance: Instance, _ change: (inout Registration) -> Void) {
        guard var registration = ledger.registrations[instance] else { return }
        change(&registration)
        if registration != ledger.registrations[instance] { write(.registration(instance, registration)) }
    }
}
