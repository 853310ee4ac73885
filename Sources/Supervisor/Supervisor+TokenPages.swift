package import BatonContract
import Identity
import Providers
package import SessionMachine
import Settings
import Vocabulary

extension Supervisor {
    /// A token by way of the provider's page. With no worker signed in it signs in the device first.
    package func tokenWithPage(_ request: TokenRequest, sender: Sender) async throws(Refusal) -> TokenResult {
        guard provider.hasTokens else { throw .provider(.localAccounts) }
        let app = try tokenApp(for: request, sender)
        try checkRedirect(request, of: app)
        guard machine.holder == nil else {
            let (_, turn) = try tokenTurn(for: request, sender)
            return try await authorize(request, turn.epoch, app, sender)
        }
        let epoch = try await signIn(for: request, sender)
        // A worker who refuses what an app wants from here on stays signed in.
        if request.prompt != .consent, request.extraScopesToConsent.isEmpty {
            do throws(Refusal) {
                return try await silently(request, epoch, sender)
            } catch {
                guard error.wantsPage else { throw error }
            }
        }
        guard machine.isOpen(epoch) else { throw .signingOut }
        var second = request
        // They have just shown who they are.
        second.prompt = request.prompt == .consent ? .consent : nil
        return try await authorize(second, epoch, app, sender)
    }

    /// The first page of a free device is that of `SignIn`.
    private func signIn(for request: TokenRequest, _ sender: Sender) async throws(Refusal) -> Epoch {
        var signIn = SignInRequest(request)
        signIn.token = TokenPage(
            claims: request.claims, extraQueryParameters: request.extraQueryParameters, account: request.account)
        if request.prompt == .consent { signIn.prompt = nil }
        switch await self.signIn(signIn, sender: sender) {
        case .signedIn(let epoch, _): return epoch
        case .refused(let refusal): throw refusal
        default: throw .failed
        }
    }

    /// Lets the worker who holds the device allow an app what it wants; another one's answer changes nothing.
    private func authorize(
        _ request: TokenRequest, _ epoch: Epoch, _ app: AppKey, _ sender: Sender
    ) async throws(Refusal) -> TokenResult {
        var signIn = SignInRequest(request)
        signIn.token = TokenPage(
            scopes: wish(request, of: app).scopes, extraScopes: request.extraScopesToConsent, claims: request.claims,
            extraQueryParameters: request.extraQueryParameters, account: request.account)
        switch await self.signIn(signIn, sender: sender) {
        case .signedIn: return try await silently(request, epoch, sender)
        case .refused(.canceled(.bySignOut)): throw .signingOut
        case .refused(let refusal): throw refusal
        default: throw .failed
        }
    }

    /// What the page brought lies in memory, unless it is only good for minutes.
    private func silently(
        _ request: TokenRequest, _ epoch: Epoch, _ sender: Sender
    ) async throws(Refusal) -> TokenResult {
        await providerWork?.value
        guard machine.isOpen(epoch) else { throw .signingOut }
        var silent = request
        silent.forceRefresh = false
        return try await token(silent, sender: sender)
    }

    /// An answer goes to an address of this app or of Baton, never to another app's.
    private func checkRedirect(_ request: TokenRequest, of app: AppKey) throws(Refusal) {
        guard let wanted = request.redirectURI else { return }
        do throws(RedirectURI.Fault) {
            try RedirectURI.check(wanted)
        } catch {
            throw .invalidRedirectURI("The redirect URI \(error).")
        }
        let own = settings.apps.first { $0.id == app.id }?.redirectURI
        guard wanted == own || wanted == Tokens.ownRedirectURI else {
            throw .invalidRedirectURI("This app's file does not name this redirect URI. Put it there, and reload.")
        }
    }
}

extension SignInRequest {
    fileprivate init(_ request: TokenRequest) {
        self.init()
        redirectURI = request.redirectURI
        prompt = request.prompt.flatMap { SignInPrompt($0) }
        loginHint = request.loginHint
        domainHint = request.domainHint
        correlationID = request.correlationID
    }
}

extension SignInPrompt {
    /// Nil: the provider asks what it finds necessary.
    fileprivate init?(_ prompt: TokenPrompt) {
        switch prompt {
        case .ifNecessary: return nil
        case .selectAccount: self = .selectAccount
        case .login: self = .login
        case .consent: self = .consent
        case .create: self = .create
        }
    }
}

extension Refusal {
    /// A page of the provider may get what silence did not.
    fileprivate var wantsPage: Bool {
        guard case .provider(let refusal) = self else { return false }
        return refusal.kind == .interactionRequired && refusal.reason != ProviderRefusal.administratorReason
    }
}
