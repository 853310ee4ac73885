import BatonContract
package import DBus
import SessionMachine
import Settings
import Supervisor
import Vocabulary

/// Answers `org.baton.Device1.Participants`.
package struct ParticipantsAdapter {
    let context: CallContext

    package init(context: CallContext) { self.context = context }

    package func serve(on object: inout ServedObject) {
        let context = context
        object.answer(Participants.register) { caller, arguments in
            let (id, clearedThrough, options) = arguments
            return try await context.register(caller.name, id, clearedThrough, options)
        }
        // At a sign-out all apps acknowledge at once, so these never leave the bus thread.
        object.respond(to: Participants.acknowledge) { arguments, responder in
            let (epoch, instance, outcome, details) = arguments
            do {
                try context.acknowledge(responder.caller.name, epoch, instance, outcome, details) { answer in
                    responder.reply { try answer.done() }
                }
            } catch {
                responder.fail(error)
            }
        }
        object.answer(Participants.extend) { caller, arguments in
            let (epoch, instance, milliseconds) = arguments
            let sender = caller.name.rawValue
            let answer = await context.supervisor.ask {
                .extend($0, sender, epoch, instance, microseconds: UInt64(milliseconds) * 1000)
            }
            return try answer.value { if case .deadline(let deadline) = $0 { deadline } else { nil } }
        }
        // An app says this last. In a task, the news that its connection has left could overtake it.
        object.respond(to: Participants.leave) { instance, responder in
            let sender = responder.caller.name.rawValue
            context.supervisor.assumeIsolated { supervisor in
                supervisor.ask({ .leave($0, sender, instance) }) { answer in
                    responder.reply { try answer.done() }
                }
            }
        }
        object.answer(Participants.list) { _, _ in await context.supervisor.participantList().map(\.dictionary) }
        object.keepRoom(for: Participants.acknowledge)
        object.keepRoom(for: Participants.extend)
        object.keepRoom(for: Participants.leave)
    }
}

extension CallContext {
    fileprivate func register(
        _ sender: BusName, _ id: String, _ clearedThrough: Epoch, _ options: VariantDictionary
    ) async throws -> (Instance, Epoch, String, Epoch, VariantDictionary) {
        guard AppFile.isAppID(id) else {
            throw BatonError(
                .invalidArgument, "An app id has 1 to 255 letters, digits, '.', '_' and '-', such as org.example.App.")
        }
        let options = try RegistrationOptions(fromCaller: options)
        if let turn = options.turn, let mark = await supervisor.forgottenTurn(turn) {
            try await goOn(mark)
            throw BatonError(.failed, "The journal was missing a turn, which is ended now. Register again.")
        }
        let caller = try await caller(sender)
        let settings = await supervisor.settings
        let mustProve = settings.apps.first { $0.id == id }?.participant == .required
        let isProven = try await tokens.isRight(options.token, for: id, from: sender) {
            await agent.hasStarted(caller.pid, for: id)
        }
        let request = Registering(
            sender: sender.rawValue, app: AppKey(uid: caller.user, id: id), pid: caller.pid, mustProve: mustProve,
            proven: isProven, clearedThrough: clearedThrough)
        // Who has left meanwhile is registered for nothing; leaving cancels this task.
        try Task.checkCancellation()
        await supervisor.tellEnded(of: request.app)
        var answer = await supervisor.ask { .register($0, request) }
        if answer.isLackOfRoom, await supervisor.tellEnded() {
            answer = await supervisor.ask { .register($0, request) }
        }
        let registered = try answer.value { if case .registered(let value) = $0 { value } else { nil } }
        // It may have left before the machine knew of it, which would take it for present ever after. A task that is
        // cancelled cannot ask the bus, and is cancelled because its caller left.
        let isThere = try? await connection.hasOwner(sender)
        if isThere != true { await supervisor.post(.disconnected(sender.rawValue)) }
        await agent.triedToWatch(registered.instance)
        let account = await supervisor.account(of: registered.holder, in: registered.epoch)
        return (
            registered.instance, registered.epoch, registered.phase.rawValue, registered.clearThrough, account
        )
    }

    fileprivate func acknowledge(
        _ sender: BusName, _ epoch: Epoch, _ instance: Instance, _ outcome: String, _ details: VariantDictionary,
        then: @escaping @Sendable (Answer) -> Void
    ) throws {
        guard let outcome = AcknowledgementOutcome(rawValue: outcome) else {
            throw BatonError(.invalidArgument, "An outcome is 'cleared', 'nothing-to-clear' or 'failed'.")
        }
        try supervisor.assumeIsolated { supervisor in
            var word = Acknowledging(sender: sender.rawValue, epoch: epoch, instance: instance, outcome: outcome)
            do {
                word.details = try DetailsText.make(details, limit: supervisor.settings.limits.details)
            } catch let refusal as Refusal {
                supervisor.post(.refused(word, refusal))
                throw BatonError(refusal)
            }
            supervisor.ask({ .acknowledge($0, word) }, then: then)
        }
    }
}

extension Answer {
    /// Refused for others, who may have ended by now.
    fileprivate var isLackOfRoom: Bool {
        switch self {
        case .refused(.tooManyForUser), .refused(.tooManyParticipants): true
        default: false
        }
    }
}
