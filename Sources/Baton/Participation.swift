internal import BatonContract
internal import DBus

/// Does what `ParticipationMachine` says: the calls, the app's functions, the memory.
struct Participation {
    /// What the app gave.
    struct App: Sendable {
        var id: String
        var memory: ParticipationMemory
        var token: OwnedDescriptor?
        var signedIn: @Sendable (Account, UInt64) async -> Void
        var clear: @Sendable (ClearRequest) async throws -> AcknowledgementOutcome
        var registered: @Sendable () -> Void
        /// Called whenever nothing of earlier workers is left to clear any more: after each registration, and after each
        /// clearing that the device has taken.
        var admitted: @Sendable () -> Void = {}
        /// Clears once more at the end and leaves, whatever it holds then; else one that holds something stays on the
        /// device's list.
        var clearsAtEnd: @Sendable () -> Bool = { false }
    }

    private enum Mail: Sendable {
        case news(DeviceFeed.News)
        /// What a call on this connection brought; of an earlier one it means nothing any more.
        case event(ParticipationMachine.Event, from: Connection?)
        case tryAgain(Connection)
        case refused(any Error)
        case couldNotClear(any Error)
    }

    private let app: App
    private let remarks = ClearingRemarks()
    private var machine: ParticipationMachine
    private let registration = AppRegistration()
    private let membership: Membership
    /// The registration that has had nothing to clear since it was made, or has cleared it.
    private var admitted: UInt64?
    private var wasAdmitted = false
    private let mail: AsyncStream<Mail>
    private let post: AsyncStream<Mail>.Continuation
    private var connection: Connection?
    private var attempts = 0
    private var isRegistering = false
    private var registersAgain = false
    private var delivery: Task<Void, Never>?

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
        } else {
            membership.set(self.connection == nil ? .absent : .joining)
        }
    }

    /// An error ends it.
    private mutating func handle(_ item: Mail, _ group: inout TaskGroup<Void>) -> (any Error)? {
        switch item {
        case .refused(let error), .couldNotClear(let error): return error
        case .news(let news): take(news, &group)
        case .tryAgain(let connection):
            guard connection === self.connection else { return nil }
            isRegistering = false
            attempts += 1
            begin(on: connection, &group)
        case .event(let event, let source):
            guard source == nil || source === connection else { return nil }
            if case .registered(let instance, _, _, _, _) = event, let source {
                isRegistering = false
                registration.set((source, instance))
                app.registered()
            }
            if case .account = event { attempts = 0 }
            perform(machine.handle(event), &group)
            if registersAgain, !isRegistering { register(&group) }
        }
        return nil
    }

    private mutating func take(_ news: DeviceFeed.News, _ group: inout TaskGroup<Void>) {
        switch news {
        case .owner(let connection, let owner):
            self.connection = owner == nil ? nil : connection
            registration.set(nil)
            isRegistering = false
            registersAgain = false
            attempts = 0
            perform(machine.handle(.vanished), &group)
            if owner != nil { begin(on: connection, &group) }
        case .signedIn(let epoch, let account):
            attempts = 0
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

    // MARK: Effects

    private mutating func perform(_ effects: [ParticipationMachine.Effect], _ group: inout TaskGroup<Void>) {
        for effect in effects {
            switch effect {
            case .register: register(&group)
            case .deliver(let epoch, let account): deliver(epoch, account, &group)
            case .cancelDelivery: delivery?.cancel()
            case .clear(let clearing): clear(clearing, &group)
            case .acknowledge(let epoch, let instance, let outcome):
                acknowledge(epoch, instance, outcome, &group)
            case .askAccount: askAccount(&group)
            case .remember(let contents): app.memory.write(contents)
            }
        }
    }

    /// Which journal it is comes before everything else.
    private func begin(on connection: Connection, _ group: inout TaskGroup<Void>) {
        let (post, attempt) = (post, attempts)
        group.addTask {
            await Self.pause(attempt)
            do {
                let information = DeviceInformation(try await connection.ask(Device1.getDeviceInformation, ()))
                post.yield(.event(.appeared(journalID: information.journalID), from: connection))
            } catch {
                post.yield(.tryAgain(connection))
            }
        }
    }

    private mutating func register(_ group: inout TaskGroup<Void>) {
        guard let connection else { return }
        guard !isRegistering else {
            registersAgain = true
            return
        }
        isRegistering = true
        registersAgain = false
        registration.set(nil)
        var options: VariantDictionary = [:]
        if let token = app.token { options["token"] = .descriptor(token) }
        let (id, clearedThrough, post, attempt) = (app.id, machine.memory.clearedThrough, post, attempts)
        attempts += 1
        group.addTask { [options] in
            await Self.pause(attempt)
            do {
                let answer = try await connection.ask(Participants.register, (id, clearedThrough, options))
                let phase = Phase(rawValue: answer.2) ?? .quarantined
                post.yield(
                    .event(
                        .registered(
                            instance: answer.0, epoch: answer.1, phase: phase, clearThrough: answer.3,
                            account: Account(answer.4)), from: connection))
            } catch {
                post.yield(Self.isFinal(error) ? .refused(error) : .tryAgain(connection))
            }
        }
    }

    /// Whether asking again would only bring the same answer.
    private static func isFinal(_ error: any Error) -> Bool {
        switch error {
        case let error as BatonError: [.notAuthorized, .invalidArgument, .limitExceeded].contains(error.code)
        case DeviceError.notAllowed: true
        default: false
        }
    }

    /// Nothing at first; then there is no event to wait for, since what was refused comes back by itself.
    private static func pause(_ attempt: Int) async {
        guard attempt > 0 else { return }
        try? await Task.sleep(for: min(.milliseconds(100) * (1 << min(attempt, 6)), .seconds(5)))
    }

    private mutating func deliver(_ epoch: UInt64, _ account: Account, _ group: inout TaskGroup<Void>) {
        let (signedIn, post) = (app.signedIn, post)
        delivery = Task {
            await signedIn(account, epoch)
            post.yield(.event(.delivered, from: nil))
        }
    }

    private func clear(_ clearing: ParticipationMachine.Clearing, _ group: inout TaskGroup<Void>) {
        let (clear, post, registration, remarks) = (app.clear, post, registration, remarks)
        group.addTask {
            let request = ClearRequest(clearing, remarks) { epoch, milliseconds in
                guard let (connection, instance) = registration.value else {
                    throw BatonError(.notRegistered, "the device does not wait for this app now")
                }
                return try await connection.ask(Participants.extend, (epoch, instance, milliseconds))
            }
            do {
                let outcome = try await clear(request)
                guard !Task.isCancelled else { return }
                post.yield(.event(.cleared(outcome), from: nil))
                if clearing.epoch == 0, outcome == .failed {
                    post.yield(.couldNotClear(BatonError(.failed, "the app could not clear")))
                }
            } catch {
                // An app that is being stopped has not failed; it clears when it comes back.
                guard !Task.isCancelled else { return }
                post.yield(clearing.epoch == 0 ? .couldNotClear(error) : .event(.cleared(.failed), from: nil))
            }
        }
    }

    private func acknowledge(
        _ epoch: UInt64, _ instance: UInt64, _ outcome: AcknowledgementOutcome, _ group: inout TaskGroup<Void>
    ) {
        guard let connection else { return }
        let (post, details) = (post, remarks[epoch])
        group.addTask {
            let reception: ParticipationMachine.Reception
            do {
                try await connection.ask(Participants.acknowledge, (epoch, instance, outcome.rawValue, details))
                reception = .taken
            } catch let error as BatonError {
                // Another answer was first; that one counts.
                reception = error.code == .invalidArgument ? .taken : .refused
            } catch DeviceError.timedOut {
                reception = .refused
            } catch {
                // batond or the bus went away, and this side registers again when it is back.
                return
            }
            post.yield(
                .event(.acknowledged(epoch: epoch, instance: instance, reception), from: connection))
        }
    }

    private func askAccount(_ group: inout TaskGroup<Void>) {
        guard let connection else { return }
        let post = post
        group.addTask {
            do {
                let (epoch, current, _) = try await connection.ask(Device1.getCurrentAccount, ())
                post.yield(.event(.account(epoch: epoch, Account(current)), from: connection))
            } catch is BatonError {
                post.yield(.event(.accountRefused, from: connection))
            } catch {
                // The next signal, or the next registration, tells.
            }
        }
    }

    /// Says good-bye when nothing of a worker is here; else the device keeps this app on its list.
    private func leave() async {
        guard machine.holdsNothing else { return }
        await sayGoodBye()
    }

    private func clearAndLeave() async {
        guard registration.value != nil else { return }
        let (app, ended) = (app, machine.clearingAtEnd)
        let request = ClearRequest(ended, remarks) { _, _ in
            throw BatonError(.notRegistered, "the device does not wait for this app now")
        }
        // A task of its own, as below. An app that could not clear stays on the list.
        let isClear = await Task { (try? await app.clear(request)).map { $0 != .failed } ?? false }.value
        if isClear { await sayGoodBye() }
    }

    private func sayGoodBye() async {
        guard let (connection, instance) = registration.value else { return }
        // A task of its own: this one is cancelled already.
        await Task {
            _ = try? await connection.ask(Participants.leave, instance, timeout: .seconds(2))
        }.value
    }
}
