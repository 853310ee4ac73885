import BatonContract

/// The rules of taking part, without a bus and without a clock: what happened comes in, what to do goes out.
///
/// The app's own functions run one at a time. No account is delivered before what must be cleared is cleared.
struct ParticipationMachine: Hashable, Sendable {
    private enum Busy: Hashable {
        case no
        case delivering
        case clearing(Clearing)
    }

    private(set) var memory: ParticipationMemory.Contents
    private var busy = Busy.no
    private var instance: Instance?
    /// The journal that is there, until it was registered with.
    private var journalID: String?
    /// The journal of the last registration. Empty: of a device that could not read its own, and said what it knew without it.
    private var registeredWith: String?
    /// The turn whose account the app got and has not cleared.
    private var held: Turn?
    /// The newest turn that was to be cleared: signals of it that come late bring no worker back.
    private var newestCleared: Epoch = 0
    /// What waits until the app has returned from what it does.
    private var nextClearing: Clearing?
    /// Turns up to this one had ended when the app registered: signals of them are stale.
    private var newestEnded: Epoch = 0
    /// Signals that overtook the answer to `Register`.
    private var early: [Event] = []
    /// The last answer, for a repeated question.
    private var answered: Answer?
    /// The device says that this must be cleared before anything is delivered.
    private var mustClear: Epoch = 0

    private struct Turn: Hashable {
        var epoch: Epoch
        var account: Account
    }

    private struct Answer: Hashable {
        var epoch: Epoch
        var outcome: AcknowledgementOutcome
    }

    init(memory: ParticipationMemory.Contents) {
        self.memory = memory
    }

    /// Nothing of a worker is with the app, so it may leave the roster.
    var holdsNothing: Bool { held == nil && mustClear == 0 && nextClearing == nil && busy == .no }
    var registration: Instance? { instance }
    /// What an app is told that clears because it ends.
    var clearingAtEnd: Clearing {
        Clearing(
            epoch: max(held?.epoch ?? 0, mustClear), account: held?.account, reason: held == nil ? .recovery : .user,
            deadline: 0)
    }
    /// Registered, with nothing to clear first: now the device gives this app accounts and tokens.
    var isAdmitted: Bool {
        if case .clearing = busy { return false }
        return instance != nil && mustClear == 0 && nextClearing == nil
    }

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .appeared(let journalID): appeared(journalID)
        case .vanished: vanished()
        case .registered(let instance, let epoch, let phase, let clearThrough, let account):
            registered(instance, epoch, phase, clearThrough, account)
        case .signedIn, .signingOut, .signedOut: instance == nil ? keep(event) : signal(event)
        case .delivered: delivered()
        case .cleared(let outcome): cleared(outcome)
        case .acknowledged(let epoch, let instance, let reception): acknowledged(epoch, instance, reception)
        case .account(let epoch, let account): answer(epoch, account)
        case .accountRefused: [.register]
        }
    }

    // MARK: Signals

    private mutating func keep(_ event: Event) -> [Effect] {
        // Of more than these, the older ones are of turns that are long over.
        early = early.suffix(15) + [event]
        return []
    }

    private mutating func signal(_ event: Event) -> [Effect] {
        switch event {
        case .signedIn(let epoch, let account): signedIn(epoch, account)
        case .signingOut(let clearing) where clearing.epoch > newestEnded: mustClear(clearing)
        case .signedOut(let epoch) where epoch > newestEnded: signedOut(epoch)
        default: []
        }
    }

    // MARK: The device comes and goes

    private mutating func appeared(_ journalID: String) -> [Effect] {
        instance = nil
        early = []
        self.journalID = journalID
        let known = registeredWith ?? (memory.journalID.isEmpty ? nil : memory.journalID)
        guard let known, known != journalID else { return busyWithUnknown ? [] : [.register] }
        // Another journal's numbers mean nothing here, and it is not known what happened in between.
        answered = nil
        newestCleared = 0
        newestEnded = 0
        return startClearing(Clearing(epoch: 0, account: nil, reason: .recovery, deadline: 0))
    }

    private var busyWithUnknown: Bool {
        if case .clearing(let clearing) = busy, clearing.epoch == 0 { return true }
        return nextClearing?.epoch == 0
    }

    private mutating func vanished() -> [Effect] {
        instance = nil
        early = []
        journalID = nil
        return []
    }

    private mutating func registered(
        _ instance: Instance, _ epoch: Epoch, _ phase: Phase, _ clearThrough: Epoch, _ account: Account?
    ) -> [Effect] {
        var effects = standing(instance, epoch, phase, clearThrough, account)
        let waiting = early
        early = []
        for event in waiting { effects += signal(event) }
        return effects
    }

    private mutating func standing(
        _ instance: Instance, _ epoch: Epoch, _ phase: Phase, _ clearThrough: Epoch, _ account: Account?
    ) -> [Effect] {
        self.instance = instance
        mustClear = clearThrough
        switch phase {
        case .ready, .signingIn: newestEnded = max(newestEnded, epoch)
        case .inUse: newestEnded = max(newestEnded, epoch.previous)
        case .clearing, .quarantined: break
        }
        var effects: [Effect] = []
        registeredWith = journalID ?? registeredWith
        if let journalID, memory.journalID != journalID {
            memory = ParticipationMemory.Contents(journalID: journalID, clearedThrough: 0)
            effects.append(.remember(memory))
        }
        if clearThrough > 0 {
            return effects
                + mustClear(Clearing(epoch: clearThrough, account: nil, reason: .recovery, deadline: 0))
        }
        if let held, phase != .inUse || held.epoch != epoch {
            // The device holds this app for clean and is wrong, so it clears all the same.
            return effects + startClearing(Clearing(epoch: held.epoch, account: nil, reason: .recovery, deadline: 0))
        }
        if phase == .inUse, let account { return effects + signedIn(epoch, account) }
        return effects
    }

    // MARK: Workers come and go

    private mutating func signedIn(_ epoch: Epoch, _ account: Account) -> [Effect] {
        // What is to be cleared first ends with `askAccount`, which brings this account again.
        guard instance != nil, mustClear == 0, nextClearing == nil, epoch != held?.epoch, epoch > newestCleared,
            epoch > newestEnded
        else {
            return []
        }
        switch busy {
        case .clearing: return []
        case .no where held == nil:
            held = Turn(epoch: epoch, account: account)
            busy = .delivering
            return [.deliver(epoch: epoch, account)]
        case .no, .delivering:
            // The turn before it ended unseen; registering tells what is to be cleared.
            return [.register]
        }
    }

    private mutating func mustClear(_ clearing: Clearing) -> [Effect] {
        guard let instance else { return [] }
        mustClear = max(mustClear, clearing.epoch)
        if let answered, answered.epoch == clearing.epoch, held == nil, nextClearing == nil, busy == .no,
            answered.outcome != .failed
        {
            return [.acknowledge(epoch: clearing.epoch, instance: instance, answered.outcome)]
        }
        return startClearing(clearing)
    }

    /// A sign-out whose begin was missed still has to be answered.
    private mutating func signedOut(_ epoch: Epoch) -> [Effect] {
        guard let held, held.epoch <= epoch, nextClearing == nil, answered?.epoch != epoch else { return [] }
        if case .clearing = busy { return [] }
        return mustClear(Clearing(epoch: epoch, account: nil, reason: .recovery, deadline: 0))
    }

    private mutating func startClearing(_ clearing: Clearing) -> [Effect] {
        var clearing = clearing
        if clearing.account == nil { clearing.account = held?.account }
        newestCleared = max(newestCleared, clearing.epoch)
        switch busy {
        case .no:
            busy = .clearing(clearing)
            return [.clear(clearing)]
        case .delivering:
            let first = nextClearing == nil
            nextClearing = clearing
            return first ? [.cancelDelivery] : []
        case .clearing(let current):
            // The same question again; its answer comes when the app is done.
            if current.epoch != clearing.epoch { nextClearing = clearing }
            return []
        }
    }

    // MARK: The app's functions return

    private mutating func delivered() -> [Effect] {
        guard busy == .delivering else { return [] }
        busy = .no
        return startNext()
    }

    private mutating func startNext() -> [Effect] {
        guard let clearing = nextClearing else { return [] }
        nextClearing = nil
        busy = .clearing(clearing)
        return [.clear(clearing)]
    }

    private mutating func cleared(_ outcome: AcknowledgementOutcome) -> [Effect] {
        guard case .clearing(let clearing) = busy else { return [] }
        busy = .no
        if outcome != .failed { held = nil }
        if clearing.epoch == 0 {
            // An app that could not clear this does not take part; no sign-out runs that could contain it.
            guard outcome != .failed else { return [] }
            memory = ParticipationMemory.Contents(journalID: "", clearedThrough: 0)
            registeredWith = nil
            return startNext() + (journalID == nil ? [] : [.register])
        }
        answered = Answer(epoch: clearing.epoch, outcome: outcome)
        var effects: [Effect] = []
        if let instance {
            if mustClear > 0 {
                effects.append(.acknowledge(epoch: clearing.epoch, instance: instance, outcome))
            } else if outcome != .failed {
                effects.append(.askAccount)
            }
        }
        return effects + startNext()
    }

    private mutating func acknowledged(_ epoch: Epoch, _ instance: Instance, _ reception: Reception) -> [Effect] {
        // Also when it was an earlier instance that was refused: the device may wait for the present one, which registered
        // before the sign-out began and was asked in the name of the earlier.
        guard reception == .taken else { return [.register] }
        guard self.instance == instance else { return [] }
        guard let answered, answered.epoch == epoch, answered.outcome != .failed else { return [] }
        if mustClear <= epoch { mustClear = 0 }
        memory.clearedThrough = max(memory.clearedThrough, epoch)
        return [.remember(memory), .askAccount]
    }

    private mutating func answer(_ epoch: Epoch, _ account: Account?) -> [Effect] {
        guard let account else { return [] }
        return signedIn(epoch, account)
    }
}
