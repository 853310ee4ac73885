import BatonContract
import DBus

/// What `ParticipationMachine` wants done: the calls to batond, and the app's functions.
extension Participation {
    mutating func perform(_ effects: [ParticipationMachine.Effect], _ group: inout TaskGroup<Void>) {
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
    func begin(_ owner: NameOwner, _ group: inout TaskGroup<Void>) {
        let (post, attempt) = (post, attempts)
        group.addTask {
            await Self.pause(attempt)
            guard !owner.isOver else { return }
            do {
                let information = DeviceInformation(try await owner.connection.ask(Device1.getDeviceInformation, ()))
                post.yield(.event(.appeared(journalID: information.journalID), from: owner))
            } catch {
                post.yield(.tryAgain(owner))
            }
        }
    }

    mutating func register(_ group: inout TaskGroup<Void>) {
        guard let owner else { return }
        guard !isRegistering else {
            registersAgain = true
            return
        }
        isRegistering = true
        registersAgain = false
        registration.set(nil)
        let options = RegistrationOptions(token: app.token, turn: shown.text)
        let (id, clearedThrough, post, attempt, shown) = (app.id, machine.memory.clearedThrough, post, attempts, shown)
        attempts += 1
        group.addTask {
            await Self.pause(attempt)
            guard !owner.isOver else { return }
            do {
                let answer = try await owner.connection.ask(
                    Participants.register, (id, clearedThrough, options.dictionary))
                let holder = HolderAccount(answer.4)
                shown.keep(holder?.turn)
                let phase = Phase(rawValue: answer.2) ?? .quarantined
                post.yield(
                    .event(
                        .registered(
                            instance: answer.0, epoch: answer.1, phase: phase, clearThrough: answer.3,
                            account: holder?.account), from: owner))
            } catch let error as BatonError where error.code == .invalidArgument && options.turn != nil {
                // An older batond in the place of the one that gave it knows no such option.
                shown.forget()
                post.yield(.tryAgain(owner))
            } catch {
                post.yield(Self.mail(error, owner))
            }
        }
    }

    /// Asking again may bring another answer, unless it is this app that is not wanted.
    private static func mail(_ error: any Error, _ owner: NameOwner) -> Mail {
        switch error {
        case let error as BatonError where [.notAuthorized, .invalidArgument].contains(error.code): .refused(error)
        // Others took the places, and leave them.
        case let error as BatonError where error.code == .limitExceeded: .postponed(error, from: owner)
        case DeviceError.notAllowed: .refused(error)
        default: .tryAgain(owner)
        }
    }

    /// Nothing at first; then there is no event to wait for, since what was refused comes back by itself.
    private static func pause(_ attempt: Int) async {
        guard attempt > 0 else { return }
        try? await Task.sleep(for: min(.milliseconds(100) * (1 << min(attempt, 6)), .seconds(5)))
    }

    private mutating func deliver(_ epoch: Epoch, _ account: Account, _ group: inout TaskGroup<Void>) {
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
        _ epoch: Epoch, _ instance: Instance, _ outcome: AcknowledgementOutcome, _ group: inout TaskGroup<Void>
    ) {
        guard let owner else { return }
        let (post, details) = (post, remarks[epoch])
        group.addTask {
            let reception: ParticipationMachine.Reception
            do {
                try await owner.connection.ask(Participants.acknowledge, (epoch, instance, outcome.rawValue, details))
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
                .event(.acknowledged(epoch: epoch, instance: instance, reception), from: owner))
        }
    }

    private func askAccount(_ group: inout TaskGroup<Void>) {
        guard let owner else { return }
        let (post, shown) = (post, shown)
        group.addTask {
            do {
                let (epoch, current, _) = try await owner.connection.ask(Device1.getCurrentAccount, ())
                let holder = HolderAccount(current)
                shown.keep(holder?.turn)
                post.yield(.event(.account(epoch: epoch, holder?.account), from: owner))
            } catch is BatonError {
                post.yield(.event(.accountRefused, from: owner))
            } catch {
                // The next signal, or the next registration, tells.
            }
        }
    }

    /// Says good-bye when nothing of a worker is here; else the device keeps this app on its list.
    func leave() async {
        guard machine.holdsNothing else { return }
        await sayGoodBye()
    }

    func clearAndLeave() async {
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
