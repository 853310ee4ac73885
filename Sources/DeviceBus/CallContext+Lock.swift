import BatonContract
import DBus
import Providers
import Supervisor

extension CallContext {
    func lock(_ options: LockPIN) async throws {
        try await supervisor.lock(choosing: SignInRequest(ofLock: options).pin).done()
    }

    func unlock(_ sender: BusName, _ options: LockPIN) async throws {
        var request = try await SignInRequest(ofLock: options)
        guard request.pin != nil else {
            throw BatonError(.invalidArgument, "pin: a PIN shows that the worker is back.")
        }
        request.isFromPage = await agent.isAgent(sender)
        try await supervisor.unlock(request, sender: sender.rawValue).done()
    }
}
