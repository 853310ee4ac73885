import BatonContract
package import Identity
package import SessionMachine
import Synchronization
package import Vocabulary

extension OpenIDProvider {
    package nonisolated func heldToken(_ wish: TokenWish, _ epoch: Epoch) throws(Refusal) -> HeldToken? {
        guard let session = openSessions.withLock({ $0[epoch] }) else { return nil }
        do throws(IdentityError) {
            return try session.heldToken(wish)
        } catch {
            throw .provider(ProviderRefusal(error, asked: nil))
        }
    }

    package func token(_ wish: TokenWish, _ epoch: Epoch) async throws(Refusal) -> HeldToken {
        guard let session = sessions[epoch]?.session else { throw .provider(.restarted) }
        do throws(IdentityError) {
            return try await session.token(wish)
        } catch {
            if error.cause == .canceled { throw .signingOut }
            demand = error.claims.map { (epoch, $0) } ?? demand
            // Whose account or session is gone holds the device no longer, and all apps clear.
            if error.endsTurn { end(epoch) }
            throw .provider(ProviderRefusal(error, asked: nil))
        }
    }

    /// Whose turn a page is for; nil: the device is free.
    private func turn(of run: SignInRun) -> Epoch? { run.holder == nil ? nil : sessions.keys.max() }

    /// Remembers what the token endpoint demands of the next page.
    func note(_ claims: DemandedClaims?, of run: SignInRun) {
        if let claims { demand = (turn(of: run), claims) }
    }

    /// Adds what the token endpoint has demanded. On a free device the next page may be another worker's, so it is said
    /// once.
    func addDemand(of run: SignInRun, to request: inout AuthorizationRequest) {
        guard let (epoch, claims) = demand, epoch == turn(of: run) else { return }
        request.demandedClaims = claims
        if epoch == nil { demand = nil }
    }

    /// What the provider's page shall ask for on an app's behalf.
    func addPage(of run: SignInRun, to request: inout AuthorizationRequest) {
        guard let page = run.request.token else { return }
        if !page.scopes.isEmpty { request.scopes = page.scopes }
        request.extraScopesToConsent = page.extraScopes
        // Elsewhere a refresh token is good for the scopes of its page and no more: it takes the place of the one before,
        // so it must be good for what the other apps were allowed.
        if run.holder != nil, !client.settings.authority.isMicrosoft,
            let session = sessions.max(by: { $0.key < $1.key })?.value.session
        {
            request.extraScopesToConsent += session.grantedScopes
        }
        request.claims = page.claims
        request.extraQueryParameters = page.extraQueryParameters
    }

    /// Keeps what a sign-in brought until the machine has decided what becomes of it.
    func arrive(_ signedIn: SignedIn, of run: SignInRun) async throws(Refusal) -> TurnAccount {
        noteMissingClaims(of: signedIn)
        let holder = TurnAccount(signedIn.identity)
        arrived[run.attempt] = Arrival(session: signedIn.session, isForApp: run.request.token != nil)
        if let account = run.request.token?.account, !holder.isCalled(account) {
            await discard(run.attempt)
            throw .otherAccount
        }
        return holder
    }

    /// What the caller hears of a sign-in that failed.
    nonisolated func refusal(_ error: IdentityError, of run: SignInRun) -> Refusal {
        guard let page = run.request.token else { return Refusal(error) }
        // A worker who is asked neither for a name nor for a password has only consent to refuse.
        let asksForConsent = run.holder != nil && [nil, .consent].contains(run.request.prompt)
        return .provider(ProviderRefusal(error, asked: asksForConsent ? page.scopes : nil))
    }
}
