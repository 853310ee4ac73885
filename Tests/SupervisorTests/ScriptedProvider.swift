import SessionMachine
import Vocabulary

@testable import Providers

/// Signs in the worker whom the request names. Each of its steps can be the life's last.
struct ScriptedProvider: IdentityProvider {
    let life: SupervisorLife
    let kind = IdentityKind.local
    let issuer = "local"
    let tenant = ""

    func knows(_ holder: TurnAccount) -> Bool { true }

    func signIn(_ run: SignInRun) async throws(Refusal) -> TurnAccount {
        guard life.passes("the provider is asked to sign in") else { throw .failed }
        let name = run.request.username ?? ""
        return TurnAccount(id: "local#\(name)", attributes: ["username": name])
    }

    func adopt(_ attempt: Attempt, _ epoch: Epoch) async { _ = life.passes("the provider is told of the turn") }
    func discard(_ attempt: Attempt) async { _ = life.passes("the provider is told that there is no turn") }

    func signOut(_ epoch: Epoch) async -> ProviderReport {
        _ = life.passes("the provider is told of the sign-out")
        return ProviderReport(.revoked)
    }
}
