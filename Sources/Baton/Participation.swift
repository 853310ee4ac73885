import BatonContract
import DBus
import Synchronization

/// Does what `ParticipationMachine` says: the calls, the app's functions, the memory.
struct Participation {
    /// What the app gave.
    struct App: Sendable {
        var id: String
        var memory: ParticipationMemory
        var token: OwnedDescriptor?
        var signedIn: @Sendable (Account, Epoch) async -> Void
        var clear: @Sendable (ClearRequest) async throws -> AcknowledgementOutcome
        var registered: @Sendable () -> Void
        /// Called whenever nothing of earlier workers is left to clear any more: after each registration, and after each
        /// clearing that the device has taken.
        var admitted: @Sendable () -> Void = {}
        /// Called when the device has no room for this app, once for each reason; it is asked again.
        var postponed: @Sendable (BatonError) -> Void = { _ in }
        /// Clears once more at the end and leaves, whatever it holds then; else one that holds something stays on the
        /// device's list.
        var clearsAtEnd: @Sendable () -> Bool = { false }
    }

    /// The batond that owns the name on the bus, until it loses it.
    final class NameOwner: Sendable {
        let connection: Connection
        private let ended = Atomic(false)

        init(on connection: Connection) { self.connection = connection }

        var isOver: Bool { ended.load(ordering: .relaxed) }
        func end() { ended.store(true, ordering: .relaxed) }
    }

    enum Mail: Sendable {
        case news(DeviceFeed.News)
        /// The result of a call to that owner; ignored once another owner is there. Nil: from the app's own functions.
        case event(ParticipationMachine.Event, from: NameOwner?)
        case tryAgain(NameOwner)
        /// There is no room for one more app now.
        case postponed(BatonError, from: NameOwner)
        case refused(any Error)
        case couldNotClear(any Error)
    }

    let app: App
    let remarks = ClearingRemarks()
    let shown = ShownTurn()
    var machine: ParticipationMachine
    let registration = AppRegistration()
    private let membership: Membership
    /// The registration that has had nothing to clear since it was made, or has cleared it.
    private var admitted: Instance?
    private var wasAdmitted = false
    private let mail: AsyncStream<Mail>
    let post: AsyncStream<Mail>.Continuation
    /// Nil: there is no batond.
    var owner: NameOwner?
    var attempts = 0
    private var postponement: BatonError?
    var isRegistering = false
    var registersAgain = false
    var delivery: Task<Void, Never>?

    init(_ app: App, membership: Membership = Membership()) {
        self.app = app
        self.membership = membership
        machine = ParticipationMachine(memory: app.memory.read())
        (mail, post) = AsyncStream.makeStream(of: Mail.self)
    }

    mutating func run(bus: BusAddress, thread: BusThread) async throws {
        let post = post
        let feed = DeviceFeed(bus: bus, thread: thread) { post.yield(.news($0)) }
        // A task of its own, which holds the connection until good-bye has been said.
        let listener = Task { await feed.run(isPatient: true) { _ in } }
        let failure: (any Error)? = await withTaskGroup(of: Void.self) { group in
            var failure: (any Error)?
            for await item in mail {
                if let error = handle(item, &group) {
                    failure = error
                    break
                }
                tellStanding()
            }
            membership.set(failure.map { .refused($0) } ?? .outside)
            delivery?.cancel()
            if !app.clearsAtEnd() { await leave() }
            group.cancelAll()
            return failure
        }
        await delivery?.value
        // The app's functions have returned by now.
        if app.clearsAtEnd() { await clearAndLeave() }
        listener.cancel()
        await listener.value
        if let failure { throw failure }
        try Task.checkCancellation()
    }

    /// One who was let in stays so while clearing: what batond says to a token request then is what counts.
    private mutating func tellStanding() {
        let (connection, instance) = registration.value ?? (nil, nil)
        if machine.isAdmitted {
            admitted = instance
            if !wasAdmitted { app.admitted() }
        }
        wasAdmitted = machine.isAdmitted
        if let connection, let instance, admitted == instance {
            membership.set(.member(connection))
        } else if let postponement {
            // That may last, so no calls wait for it.
            membership.set(.refused(postponement))
        } else {
            membership.set(owner == nil ? .absent : .joining)
        }
    }

    /// An error ends it.
    private mutating func handle(_ item: Mail, _ group: inout TaskGroup<Void>) -> (any Error)? {
        switch item {
        case .refused(let error), .couldNotClear(let error): return error
        case .news(let news): take(news, &group)
        case .tryAgain(let owner): tryAgain(owner, &group)
        case .postponed(let error, let owner):
            guard owner === self.owner else { return nil }
            if postponement != error { app.postponed(error) }
            postponement = error
            tryAgain(owner, &group)
        case .event(let event, let source):
            guard source == nil || source === owner else { return nil }
            if case .registered(let instance, _, _, _, _) = event, let source {
                isRegistering = false
                postponement = nil
                registration.set((source.connection, instance))
                app.registered()
            }
            if case .account = event { attempts = 0 }
            perform(machine.handle(event), &group)
            if registersAgain, !isRegistering { register(&group) }
        }
        return nil
    }

    private mutating func tryAgain(_ owner: NameOwner, _ group: inout TaskGroup<Void>) {
        guard owner === self.owner else { return }
        isRegistering = false
        attempts += 1
        begin(owner, &group)
    }

    private mutating func take(_ news: DeviceFeed.News, _ group: inout TaskGroup<Void>) {
        switch news {
        case .owner(let connection, let name):
            // A request that still waits for the last owner would reach this one, beside the new start.
            owner?.end()
            owner = name == nil ? nil : NameOwner(on: connection)
            registration.set(nil)
            isRegistering = false
            registersAgain = false
            attempts = 0
            postponement = nil
            perform(machine.handle(.vanished), &group)
            if let owner { begin(owner, &group) }
        case .signedIn(let epoch, let account, let turn):
            attempts = 0
            shown.keep(turn)
            perform(machine.handle(.signedIn(epoch: epoch, account: account)), &group)
        case .signingOut(let epoch, let account, let reason, let deadline):
            let clearing = ParticipationMachine.Clearing(
                epoch: epoch, account: account, reason: reason, deadline: deadline)
            perform(machine.handle(.signingOut(clearing)), &group)
        case .signedOut(let epoch, _, _):
            perform(machine.handle(.signedOut(epoch: epoch)), &group)
        case .automaticSignOutPending, .automaticSignOutCancelled, .modeChanged, .phaseChanged: break
        }
    }
}
