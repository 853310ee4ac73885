import BatonContract
import DBus
import Log
import Logging

extension CallContext {
    /// Whether a caller may do what administrators may: at once for root and those whom the settings name, else when polkit has
    /// said so. Others are served meanwhile, and what is asked for is judged anew when it is done.
    ///
    /// - Parameter interactively: Nil: as the call allows.
    func standing(
        _ caller: Caller, _ principal: Principal, for action: AdministratorAction, interactively: Bool? = nil
    ) async -> Standing {
        if let ground = administrators.ground(principal) { return .success(ground) }
        guard let polkit else { return .failure(.notNamed) }
        guard !usersOfTerminal.contains(principal.user) else { return .failure(.terminal) }
        let standing = await polkit.ask(
            action, about: caller.name, of: principal.user, interactively: interactively ?? caller.allowsInteraction)
        guard case .success = standing else { return standing }
        // Nothing is done for a caller that left before the answer, also where it wanted none.
        guard !Task.isCancelled, (try? await self.caller(caller.name)) != nil else { return .failure(.left) }
        return standing
    }

    /// Whether the caller may see what administrators see, where the others see less. No person is asked for that.
    func isAdministrator(_ caller: Caller, for action: AdministratorAction) async throws -> Bool {
        let principal = try await self.caller(caller.name)
        guard case .success = await standing(caller, principal, for: action, interactively: false) else { return false }
        return true
    }

    func administrator(
        _ caller: Caller, for action: AdministratorAction
    ) async throws -> (principal: Principal, ground: Ground) {
        let principal = try await self.caller(caller.name)
        switch await standing(caller, principal, for: action) {
        case .success(let ground): return (principal, ground)
        case .failure(let denial): throw denial.error
        }
    }

    /// Does what only an administrator may ask for, and has it in the log.
    func administer<Value>(
        _ event: EventID, _ what: String, for caller: Caller, as action: AdministratorAction,
        _ details: Logger.Metadata = [:], _ act: () async throws -> Value
    ) async throws -> Value {
        let principal = try await self.caller(caller.name)
        return try await audit.record(
            event, what, by: principal, await standing(caller, principal, for: action), details, act)
    }
}
