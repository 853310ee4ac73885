package import Providers
package import Secrets
package import SessionMachine
import Vocabulary

extension Supervisor {
    /// - Parameter choosing: A PIN for this turn, where accounts have none here.
    package func lock(choosing pin: Secret?) async -> Answer {
        if let pin {
            guard provider.kind == .oidc else {
                return .refused(.invalidOption("pin: this account has its own; leave it out"))
            }
            guard TurnPIN.isFit(pin) else { return .refused(.pinRequired) }
            let epoch = machine.epoch
            guard machine.lock == nil, turnPIN?.epoch != epoch, choosesPIN != epoch else {
                return .refused(.pinChosen)
            }
            // Two callers at once: the first one's counts.
            choosesPIN = epoch
            let chosen = await TurnPIN.make(pin, for: epoch)
            choosesPIN = nil
            guard let chosen else { return .refused(.failed) }
            turnPIN = chosen
        }
        return await ask { .lock($0, hasPIN: provider.kind == .local || turnPIN?.epoch == machine.epoch) }
    }

    package func unlock(_ request: SignInRequest, sender: Sender) async -> Answer {
        await ask { call in
            var request = request
            request.username = machine.holder?.attributes["username"]
            signInRequests[call] = request
            return .unlock(call, sender)
        }
    }

    /// Whether the worker is there who holds the device.
    func unlock(_ request: SignInRequest, _ holder: TurnAccount?) async throws(Refusal) -> TurnAccount {
        let turnPIN = turnPIN
        guard let holder, let pin = request.pin, let turnPIN, turnPIN.epoch == machine.epoch else {
            throw .pinForgotten
        }
        guard await turnPIN.isRight(pin) else { throw .wrongCredentials }
        return holder
    }
}
