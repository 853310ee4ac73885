package import BatonContract
package import Secrets
package import SessionMachine
package import Vocabulary

/// One run of a sign-in: what was asked for, and the way to the one who waits for it.
package struct SignInRun: Sendable {
    package var attempt: Attempt
    package var request: SignInRequest
    /// The worker who holds the device and shall prove themselves again; nil at a sign-in to a free device.
    package var holder: TurnAccount?
    /// Opens a page in the browser that the agent manages.
    ///
    package var open: @Sendable (_ url: String) async throws(Refusal) -> Void
    /// Tells the caller and the agent what the worker has to do.
    package var step: @Sendable (SignInStep) async -> Void

    package init(
        attempt: Attempt, request: SignInRequest, holder: TurnAccount?,
        open: @escaping @Sendable (_ url: String) async throws(Refusal) -> Void,
        step: @escaping @Sendable (SignInStep) async -> Void
    ) {
        self.attempt = attempt
        self.request = request
        self.holder = holder
        self.open = open
        self.step = step
    }
}

/// What the caller of `SignIn` gave.
package struct SignInRequest: Sendable {
    // Of local accounts.
    package var username: String?
    package var pin: Secret?
    /// The agent asks, for the worker at its start page.
    package var isFromPage = false
    /// The worker of a locked screen is back.
    package var unlocks = false

    // Of an OpenID Connect provider.
    package var method = SignInMethod.browser
    /// Nil: an address of Baton's own, in the browser that the agent manages or on loopback.
    package var redirectURI: String?
    package var prompt: SignInPrompt?
    /// Seconds since the worker last showed who they are.
    package var maxAge: Int64?
    package var loginHint: String?
    package var domainHint: String?
    package var correlationID: String?
    /// An app wants a token; nil: none does.
    package var token: TokenPage?

    package init() {}
}
