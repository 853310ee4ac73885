package import Providers
package import Secrets
package import SessionMachine
import Vocabulary

extension Supervisor {
    /// - Parameters:
    ///   - choosing: A PIN for this turn, where accounts have none here.
    ///   - withoutPIN: The worker wants none.
    package func lock(choosing pin: Secret?, withoutPIN: Bool) async -> Answer {
        if let pin {
            guard provider.kind == .oidc else {
                return .refused(.invalidOption("pin: this account has its own; leave it out"))
            }
            guard TurnPIN.isFit(pin) else { return .refused(.pinRequired) }
            let epoch = machine.epoch
            // Two callers at once: the first one's counts.
            guard machine.lock == nil, turnPIN.epoch != epoch else { return .refused(.pinChosen) }
            turnPIN = .choosing(epoch)
            let chosen = await TurnPIN.make(pin, for: epoch)
            // The turn may have ended meanwhile, and its PIN with it.
            if case .choosing(epoch) = turnPIN { turnPIN = chosen.map { .chosen($0) } ?? .none }
            if chosen == nil { return .refused(.failed) }
        }
        return await ask { call in
            let hasPIN = provider.kind == .local || turnPIN.pin(of: machine.epoch) != nil
            return .lock(call, hasPIN: hasPIN, withoutPIN: withoutPIN)
        }
    }

    package func unlock(_ request: SignInRequest, sender: Sender) async -> Answer {
        await ask { call in
            var request = request
            request.username = machine.holder?.attributes["username"]
            signInRequests[call] = request
            let isByPhone = request.pin == nil
            return .unlock(call, sender, by: isByPhone ? .phone(comesFirst: request.isFromPage) : .pin)
        }
    }

    /// Whether the worker is there who holds the device.
    func unlock(_ request: SignInRequest, _ holder: TurnAccount?) async throws(Refusal) -> TurnAccount {
        guard let holder, let pin = request.pin, let chosen = turnPIN.pin(of: machine.epoch) else {
            throw .pinForgotten
        }
        guard await chosen.isRight(pin) else { throw .wrongCredentials }
        return holder
    }
}
