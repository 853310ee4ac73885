internal import BatonContract
internal import Secrets
internal import SessionMachine
internal import Vocabulary

/// One run of a sign-in: what was asked for, and the way to the one who waits for it.
struct SignInRun: Sendable {
    var attempt: Attempt
    var request: SignInRequest
    /// The worker who holds the device and shall prove themselves again; nil at a sign-in to a free device.
    var holder: TurnAccount?
    /// Opens a page in the browser that the agent manages.
    ///
    var open: @Sendable (_ url: String) async throws(Refusal) -> Void
    /// Tells the caller and the agent what the worker has to do.
    var step: @Sendable (SignInStep) async -> Void
}

/// What the caller of `SignIn` gave.
struct SignInRequest: Sendable {
    enum Method: String, Sendable {
        case browser
        case deviceCode = "device-code"
    }

    // Of local accounts.
    var username: String?
    var pin: Secret?
    /// The agent asks, for the worker at its start page.
    var isFromPage = false

    // Of an OpenID Connect provider.
    var method = Method.browser
    /// Nil: an address of Baton's own, in the browser that the agent manages or on loopback.
    var redirectURI: String?
    var prompt: String?
    /// Seconds since the worker last showed who they are.
    var maxAge: Int64?
    var loginHint: String?
    var domainHint: String?
    var correlationID: String?
    /// An app wants a token; nil: nobody does.
    var token: TokenPage?
}
