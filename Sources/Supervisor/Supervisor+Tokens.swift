package import BatonContract
import DBus
import Identity
import Providers
import Secrets
package import SessionMachine
import Settings
import Vocabulary

/// A silent request that waits for the provider.
struct TokenWait {
    var epoch: Epoch
    var app: AppKey
    var continuation: CheckedContinuation<Result<HeldToken, Refusal>, Never>
}

/// Tokens belong to a turn, its worker and an app. All apps share what the provider gave for the worker, which is the
/// single sign-on; who may have it is decided for each app and each request.
extension Supervisor {
    /// Requests of one app that may wait for the provider at once.
    private static let mostWaits = 32

    /// A token without any page: from memory, else by a refresh.
    package func token(_ request: TokenRequest, sender: Sender) async throws(Refusal) -> TokenResult {
        let (app, turn) = try tokenTurn(for: request, sender)
        let wish = wish(request, of: app)
        // Nothing can come in between here, since all of it happens on this actor.
        if let held = try provider.heldToken(wish, turn.epoch) { return try result(held, turn, wish, app, sender) }
        let held = try await wait(for: wish, turn.epoch, app)
        // S3: a sign-out may have begun meanwhile, and then another turn.
        guard machine.isOpen(turn.epoch) else { throw .signingOut }
        _ = try tokenTurn(for: request, sender)
        return try result(held, turn, wish, app, sender)
    }

    /// Who asks, and the turn they may have a token of.
    func tokenTurn(for request: TokenRequest, _ sender: Sender) throws(Refusal) -> (AppKey, Ledger.TurnRecord) {
        let app = try tokenApp(for: request, sender)
        let turn = try machine.tokenTurn(sender)
        // Nor for a turn that a restart would not know of.
        _ = try written.tokenTurn(sender)
        if let account = request.account, !turn.holder.isCalled(account) { throw .accountMismatch }
        return (app, turn)
    }

    /// An app that names no scopes wants those of its file, else those of the sign-in.
    func wish(_ request: TokenRequest, of app: AppKey) -> TokenWish {
        let listed = settings.apps.first { $0.id == app.id }?.scopes ?? []
        return TokenWish(
            scopes: request.scopes.isEmpty ? listed : request.scopes, claims: request.claims,
            forceRefresh: request.forceRefresh, correlationID: request.correlationID ?? "")
    }

    private func result(
        _ held: HeldToken, _ turn: Ledger.TurnRecord, _ wish: TokenWish, _ app: AppKey, _ sender: Sender
    ) throws(Refusal) -> TokenResult {
        let token = held.token
        guard held.declinedScopes.isEmpty else {
            throw .provider(ProviderRefusal(declined: held.declinedScopes, granted: token.grantedScopes))
        }
        note(token.grantedScopes, turn.epoch, app, sender)
        return TokenResult(
            accessToken: token.token.text, expires: UInt64(clamping: token.expires), scopes: token.grantedScopes,
            idToken: held.idToken?.text ?? "", account: Account(turn.holder), claims: held.claims,
            authority: turn.holder.issuer, correlationID: wish.correlationID, epoch: turn.epoch)
    }

    // MARK: Waiting for the provider

    private func wait(for wish: TokenWish, _ epoch: Epoch, _ app: AppKey) async throws(Refusal) -> HeldToken {
        guard tokenWaits.values.count(where: { $0.app == app }) < Self.mostWaits else {
            throw .tooManyTokenRequests(limit: Self.mostWaits)
        }
        lastTokenWait &+= 1
        let number = lastTokenWait
        let outcome = await withCheckedContinuation { continuation in
            tokenWaits[number] = TokenWait(epoch: epoch, app: app, continuation: continuation)
            let (provider, providerWork) = (provider, providerWork)
            Task(executorPreference: thread.tasks) {
                // A turn that has just begun: its tokens are on their way to the provider's side.
                await providerWork?.value
                let outcome: Result<HeldToken, Refusal>
                do throws(Refusal) {
                    outcome = .success(try await provider.token(wish, epoch))
                } catch {
                    outcome = .failure(error)
                }
                await self.tokenWaitEnded(number, outcome)
            }
        }
        return try outcome.get()
    }

    private func tokenWaitEnded(_ number: UInt64, _ outcome: Result<HeldToken, Refusal>) {
        tokenWaits.removeValue(forKey: number)?.continuation.resume(returning: outcome)
    }

    /// The turn's sign-out begins: no call waits any more, and what the provider still sends is dropped.
    func endTokenWaits(of epoch: Epoch) {
        for (number, wait) in tokenWaits where wait.epoch == epoch {
            tokenWaits[number] = nil
            wait.continuation.resume(returning: .failure(.signingOut))
        }
    }
}
