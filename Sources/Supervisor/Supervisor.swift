import Checkpoints
package import DBus
package import Journal
import Log
package import Logging
package import Providers
package import SessionMachine
package import Settings
import Vocabulary
import Waiting

/// Owns the state machine and is the only writer of the session's state.
///
/// A call comes in at an adapter, becomes an event, the machine answers with effects, and these are performed here:
/// first the journal, then properties, signals and replies. It lives on the bus thread, so that a message reaches it
/// without a change of thread.
package actor Supervisor {
    package nonisolated let thread: BusThread
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    package private(set) var machine: Machine
    /// The machine before what is being written, or before the one that has taken its place and has not started.
    private var beforeCommit: Machine?
    /// What may be told of the machine. A batond that is killed while it writes knows nothing of the rest afterwards, so
    /// that a client that had heard of it would have heard what never was.
    package var written: Machine { beforeCommit ?? machine }
    package private(set) var journal: any LedgerStore
    package nonisolated let marker: Marker
    let clock: Clock
    let log: Logger
    /// Nil: turns have no users of their own.
    package let turns: TurnKeeper?
    /// What may wait until a worker has left.
    let whenCalm: @Sendable () -> Void
    package private(set) var settings: Settings
    package private(set) var provider: any IdentityProvider
    private(set) var outlet: EffectOutlet?

    private var mailbox: [Event] = []
    private var isCommitting = false
    /// Since when, CLOCK_MONOTONIC in microseconds.
    private var commitBegan: UInt64 = 0
    /// The journal may write on this very thread.
    private var isWritingHere = false
    private var isPumping = false
    private var isPumpDue = false
    /// Records that the journal could not take, until it can.
    private var missed = MissedRecords()
    var published: PublicState?
    var figureNotes = FigureNotes()
    var nextCall: Call = 0
    var answers: [Call: @Sendable (Answer) -> Void] = [:]
    /// What was asked for, until the machine's answer: it decides nothing, and may hold a PIN.
    var signInRequests: [Call: SignInRequest] = [:]
    var signIns: [Attempt: Task<Void, Never>] = [:]
    var tokenWaits: [UInt64: TokenWait] = [:]
    var lastTokenWait: UInt64 = 0
    var turnPIN = TurnPINChoice.none
    /// What sign-ins came to, told to the provider in order.
    var providerWork: Task<Void, Never>?
    var alarm: Alarm?
    /// Every deadline up to then has been acted on.
    var acted: Moment?
    /// A deadline that has passed unseen, while what was sent before it is still being read.
    var missedDeadline: Deadline?
    var opening: (@Sendable () -> Void)?
    var shiftAlarm: Task<Void, Never>?
    var shifts = Shifts()
    /// What the journal had taken when the sign-out began, in nanoseconds.
    var timeSpentBefore: UInt64 = 0
    /// The news of an agent that is there is in the mailbox or has been. The machine may hear of that only when what is being
    /// written is written; until then this keeps a call from waiting for an agent that has come. What may be done without an
    /// agent is the machine's to say.
    var isAgentAnnounced = false
    /// Calls that wait for one.
    let agentWaiters = WaiterList<Void>()
    private let idleWaiters = WaiterList<Void>()

    package init(
        thread: BusThread, ledger: Ledger, sealed: Seal? = nil, journal: any LedgerStore, marker: Marker,
        settings: Settings, provider: any IdentityProvider, turns: TurnKeeper? = nil, clock: Clock, log: Logger,
        whenCalm: @escaping @Sendable () -> Void = {}
    ) {
        self.thread = thread
        self.turns = turns
        machine = Machine(ledger: ledger, policy: Policy(settings, turns), sealed: sealed)
        self.journal = journal
        self.marker = marker
        self.settings = settings
        self.provider = provider
        self.clock = clock
        self.log = log
        self.whenCalm = whenCalm
    }

    /// Begins to work, also after `replace`; before this, events only wait.
    ///
    /// - Parameter opening: Called once, when what has changed meanwhile is written and before any client is told of it.
    package func start(on outlet: EffectOutlet, in surroundings: StartFindings, opening: @escaping @Sendable () -> Void)
    {
        self.outlet = outlet
        self.opening = opening
        beforeCommit = nil
        // Where there was another state before, the difference to it is told.
        published = published ?? machine.publicState(at: clock.now())
        mailbox.insert(Event(.started(surroundings), at: clock.now()), at: 0)
        pump()
    }

    var now: Moment { clock.now() }

    func countToken(_ app: AppKey, _ epoch: Epoch) { machine.countToken(app, epoch) }

    /// Puts an event into the mailbox, which is emptied when the bus thread is done with the messages it has at hand: what
    /// comes in together is written together.
    package func post(_ kind: Event.Kind) {
        let now = clock.now()
        mailbox.append(Event(kind, at: now, sent: timeOfSending(at: now)))
        noteAgent(kind)
        guard !isPumpDue, !isPumping, !isCommitting else { return }
        isPumpDue = true
        thread.performLater {
            self.assumeIsolated { supervisor in
                supervisor.isPumpDue = false
                supervisor.pump()
            }
        }
    }

    /// Takes over settings that have been checked as a whole.
    package func adopt(_ settings: Settings, provider: any IdentityProvider) {
        self.settings = settings
        self.provider = provider
        post(.policyChanged(policy(settings)))
        setShiftAlarm()
    }

    /// The same with another provider, unless a worker holds the device or is about to; nothing has changed then.
    package func adopt(_ settings: Settings, provider: any IdentityProvider, evenInUse: Bool) -> Bool {
        guard evenInUse || [.ready, .quarantined].contains(machine.phase) && mailbox.isEmpty && !isCommitting else {
            return false
        }
        adopt(settings, provider: provider)
        return true
    }

    /// Goes on with another journal, as after a reset: nothing of the old state is kept. Until the next `start`, events only
    /// wait.
    package func replace(_ journal: any LedgerStore, _ ledger: Ledger, provider: any IdentityProvider) async {
        await halt()
        missed = MissedRecords()
        self.journal = journal
        self.provider = provider
        // What it says of itself is told when it has started.
        beforeCommit = machine
        machine = Machine(ledger: ledger, policy: policy(settings))
    }

    /// Performs nothing more until the next `start`.
    func halt() async {
        // It is resumed by a job of its own, before which more may have come.
        while outlet != nil, isCommitting || !mailbox.isEmpty { await drain() }
        outlet = nil
    }

    /// Returns when every event so far has been performed, for a clean stop.
    package func drain() async {
        // Before a start nothing is performed.
        await idleWaiters.wait(unless: { outlet != nil && (isCommitting || !mailbox.isEmpty) ? nil : () })
    }

    // MARK: Events to effects

    private func pump() {
        // What is performed may ask for more, which waits for its turn.
        guard outlet != nil, !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while !isCommitting, !mailbox.isEmpty {
            let batch = mailbox
            mailbox = []
            let before = machine
            let events = handle(batch)
            let records = events.flatMap(\.records)
            if records.isEmpty {
                perform(events)
            } else {
                isCommitting = true
                beforeCommit = before
                commit(batch, events, records, before)
            }
        }
        guard !isCommitting else { return }
        setAlarm()
        idleWaiters.wakeAll()
    }

    private func handle(_ batch: [Event]) -> [HandledEvent] {
        batch.map { event in
            let effects = machine.handle(event)
            noteTime(of: event)
            return HandledEvent(effects: effects, state: machine.publicState(at: event.at))
        }
    }

    /// Writes what the batch changed, all in one transaction, and only then lets a client see it.
    private func commit(_ batch: [Event], _ events: [HandledEvent], _ records: [Record], _ before: Machine) {
        checkpoint("before writing \(records.count) records, the first \(records.first?.kind ?? "")")
        rememberTime(before: records)
        commitBegan = now.monotonic
        guard !machine.isJournalBroken else {
            Task.immediate(executorPreference: thread.tasks) { await save(batch, events, records, before) }
            return
        }
        isWritingHere = true
        journal.write(records) { [self] result in
            thread.perform { [self] in
                assumeIsolated { supervisor in
                    supervisor.extendDeadlines(events)
                    switch result {
                    case .success: supervisor.committed(events)
                    case .failure(let error): supervisor.notCommitted(batch, events, records, before, error)
                    }
                }
            }
        }
        isWritingHere = false
    }

    /// While this thread itself writes, the supervisor does not hear what apps say, and when it reads that at last it seems to
    /// come late.
    private func extendDeadlines(_ events: [HandledEvent]) {
        guard isWritingHere else { return }
        isWritingHere = false
        let delay = timeOfCommit
        // If the announcement was held up as well, that is dealt with there.
        guard case .delayedAnswers(let epoch) = slowWrite(of: delay, holding: events) else { return }
        mailbox.insert(Event(.announcedLate(epoch, by: delay), at: now), at: 0)
    }

    /// What could not be written before is not in the journal, so the whole state goes in.
    private func save(_ batch: [Event], _ events: [HandledEvent], _ records: [Record], _ before: Machine) async {
        var missed = missed
        missed.add(records)
        do {
            try await journal.save(machine.ledger, missed: missed.records)
            self.missed = MissedRecords()
            log.tell(.journalRecovered, .notice, "the journal can be written again")
            mailbox.append(Event(.journalRecovered, at: clock.now()))
            committed(events)
        } catch {
            notCommitted(batch, events, records, before, error)
        }
    }

    private func committed(_ events: [HandledEvent]) {
        beforeCommit = nil
        checkpoint("after writing")
        perform(postponed(events))
        isCommitting = false
        pump()
    }

    private func notCommitted(
        _ batch: [Event], _ events: [HandledEvent], _ records: [Record], _ before: Machine, _ error: any Error
    ) {
        beforeCommit = nil
        log.tell(.journalFault, .critical, "the journal cannot be written", ["error": "\(error)"])
        if before.isJournalBroken, machine.isJournalBroken {
            missed.add(records)
            perform(postponed(events))
        } else {
            // None of it happened: the same events again, for a machine that knows, or goes on knowing.
            machine.revert(to: before)
            let news = before.isJournalBroken ? [] : [Event(.journalFailed, at: batch.first?.at ?? clock.now())]
            let again = handle(news + batch.filter { $0.kind != .journalRecovered })
            missed.add(again.flatMap(\.records))
            perform(postponed(again))
        }
        isCommitting = false
        pump()
    }

    /// The same with later deadlines, where a sign-out could be announced only long after it had begun.
    private func postponed(_ events: [HandledEvent]) -> [HandledEvent] {
        let delay = timeOfCommit
        guard case .delayedAnnouncement(let epoch) = slowWrite(of: delay, holding: events) else { return events }
        mailbox.insert(Event(.announcedLate(epoch, by: delay), at: now), at: 0)
        return events.map { $0.postponed(by: delay) }
    }

    private func slowWrite(of delay: UInt64, holding events: [HandledEvent]) -> SlowWrite? {
        machine.slowWrite(of: delay, holding: events.lazy.flatMap(\.effects))
    }

    /// In microseconds.
    private var timeOfCommit: UInt64 { max(now.monotonic, commitBegan) - commitBegan }
}
