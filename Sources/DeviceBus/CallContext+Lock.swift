import BatonContract
import DBus
import Providers
import Supervisor

extension CallContext {
    func lock(_ options: LockOptions) async throws {
        if options.withoutPIN, options.pin != nil {
            throw BatonError(.invalidArgument, "without-pin: a PIN is given as well; leave one of them out.")
        }
        let pin = try await SignInRequest(ofLock: options.pin).pin
        try await supervisor.lock(choosing: pin, withoutPIN: options.withoutPIN).done()
    }

    func unlock(_ sender: BusName, _ options: UnlockOptions) async throws {
        var request = try await SignInRequest(ofLock: options.pin)
        switch (request.pin, options.method) {
        case (_?, nil): break
        case (nil, .deviceCode?): request.method = .deviceCode
        case (nil, .browser?):
            throw BatonError(
                .invalidArgument, "method: a locked screen shows no page of the provider; take device-code.")
        case (nil, nil), (_?, _?):
            throw BatonError(.invalidArgument, "pin: either a PIN or a method shows that the worker is back.")
        }
        request.isFromPage = await agent.isAgent(sender)
        try await supervisor.unlock(request, sender: sender.rawValue).done()
    }
}
