package import SessionMachine
import Vocabulary

extension Refusal {
    /// What went wrong and what to do about it, for the caller. English; the name is what programs go by.
    package var text: String {
        switch self {
        case .signingIn:
            "A worker is signing in, or a page of the identity provider is open for an app. Wait until that has ended, or "
                + "cancel it with CancelSignIn."
        case .signingOut: "The last worker is being signed out. Try again when Phase is ready."
        case .quarantined:
            "The device is quarantined; `batonctl status` says why. Sign out again to retry, or ask an administrator to end "
                + "it with `batonctl reset`."
        case .accountMismatch: "Another worker holds the device. That worker must sign out first."
        case .canceled(let cause): cause.text
        case .notSigningIn: "No sign-in is in progress."
        case .notAuthorizedToCancel:
            "Only the caller of SignIn, the agent or an administrator can cancel it."
        case .notShared:
            "The device is in personal mode, and this needs shared mode. An administrator sets it with "
                + "`batonctl device-mode set shared`."
        case .notSignedIn: "No worker is signed in. Sign in first."
        case .epochAhead(let current): "That turn has not begun. The current one is \(current)."
        case .wrongCredentials: "The user name or the PIN is wrong."
        case .pinRequired:
            "Choose a PIN of 4 to 12 digits for this turn: only it shows the screen again."
        case .pinForgotten:
            "No PIN of this turn is known: none was chosen, or batond has started anew since. Come back by phone, where that "
                + "is offered, or sign out."
        case .noPhones:
            "method: workers of this device do not come back by phone; start-page.phone in its settings offers it, to those "
                + "of an identity provider."
        case .pinChosen: "This turn has a PIN already."
        case .notLocked: "The device is not locked."
        case .unlocking: "The screen is being shown again. Try again in a moment."
        case .notCovered: "The screen cannot be covered, so it is not locked. `batonctl status` says why."
        case .lockedOut(let seconds): "Too many wrong PINs. Try again in \(seconds) s."
        case .providerUnreachable(let what), .providerRejected(let what), .accountNotAllowed(let what),
            .invalidRedirectURI(let what), .redirectSchemeNotRegistered(let what), .notAllowed(let what):
            what
        case .provider(let refusal): refusal.text
        case .notAnApp: "Only registered apps get tokens. Call Register on this connection first."
        case .otherAccount:
            "The account that signed in is not the one that the app asked for. Sign in with that, or ask without an account."
        case .tooManyTokenRequests(let limit):
            "The limit of \(limit) waiting requests of one app to the identity provider is reached. Wait for their answers."
        case .anotherApp(let registered):
            "This connection is registered as \(registered). Use a connection of its own for another app."
        case .otherTurn:
            "This program runs as the user of another worker's turn. Only those of the present turn take part."
        case .unlistedApp: "This device accepts only apps that have a file under apps.d. Ask the administrator for one."
        case .proofNeeded:
            "This app must be started by Baton's agent and register with the token that it was handed."
        case .tooManyParticipants(let limit): "The limit of \(limit) participants is reached."
        case .tooManyForUser(let limit): "The limit of \(limit) participants of one user is reached."
        case .tooManyForProcess(let limit): "The limit of \(limit) participants of one process is reached."
        case .tooManyConnections(let limit): "The limit of \(limit) connections of one app is reached."
        case .tooManyDebts(let limit):
            "The limit of \(limit) apps of one user that owe a clearing is reached. Let them clear, or forget them with "
                + "`batonctl apps forget`."
        case .notRegistered: "There is no such registration on the bus. Register again."
        case .notYours: "Only the connection that registered this instance can speak for it."
        case .staleEpoch(let expected):
            expected == 0
                ? "This turn is not being cleared. Read Phase and Epoch."
                : "This turn is not the one to clear. Acknowledge turn \(expected)."
        case .mustClearFirst(let epoch):
            "This app must clear turn \(epoch) and acknowledge it before it gets an account or a token."
        case .saidOtherwise(let said): "This instance has already said '\(said.rawValue)' for this turn."
        case .extendedEnough: "The limit of two extensions in one sign-out is reached."
        case .detailsTooLong(let limit): "The limit of \(limit) bytes of details is exceeded."
        case .nothingToExtend: "This app has no deadline to extend now."
        case .notEnded:
            "The last worker's browser has not ended, so the device stays quarantined. Restart baton-agent or the terminal; "
                + "then batond tries again by itself."
        case .pageMissing:
            "The browser does not show the start page. The log of baton-agent says why; the quarantine ends when the page is "
                + "there."
        case .notQuarantined: "The device is not quarantined."
        case .unknownApp: "No such app is known. `batonctl apps` lists them."
        case .busyClearing: "A worker is being signed out. Try again when Phase is ready."
        case .journalFailed: "The journal cannot be read or written. `batonctl status` and the log of batond say why."
        case .agentMissing: "Baton's agent is not running in the session. Start baton-agent."
        case .invalidOption(let what): what
        case .failed: "The request failed. The log of batond says why."
        }
    }
}

extension Refusal.Cancellation {
    fileprivate var text: String {
        switch self {
        case .byCaller: "The sign-in was cancelled."
        case .byAgentOrAdministrator: "The sign-in was cancelled by the terminal or an administrator."
        case .bySignOut: "The sign-in was cancelled by a sign-out."
        case .timedOut: "The sign-in took too long and was cancelled. Try again."
        case .atProvider: "The sign-in was cancelled or denied at the identity provider."
        case .codeExpired: "The code expired before it was used. Try again."
        }
    }
}
