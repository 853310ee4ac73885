public import Vocabulary

/// Why a call was refused: one case for each cause. The supervisor maps each to its bus error.
public enum Refusal: Error, Hashable, Sendable {
    public enum Cancellation: String, Hashable, Sendable {
        case byCaller, byAgentOrAdministrator, bySignOut, timedOut, atProvider, codeExpired
    }

    // Sign-in and sign-out.
    case signingIn
    case signingOut
    case quarantined
    case accountMismatch
    case canceled(Cancellation)
    case notSigningIn
    case notAuthorizedToCancel
    case notShared
    case notSignedIn
    case epochAhead(current: Epoch)
    case wrongCredentials
    /// A worker whose account has no PIN of its own has to choose one before the device can be locked.
    case pinRequired
    /// In this turn no PIN is known: none was chosen, or batond has started since.
    case pinForgotten
    /// Workers of this device do not come back by phone.
    case noPhones
    case pinChosen
    case notLocked
    /// A PIN is being looked at, or the agent has not shown the screen again.
    case unlocking
    /// The agent could not cover the screen.
    case notCovered
    case lockedOut(seconds: UInt64)
    // The identity provider's; each text says what happened and what to do.
    case providerUnreachable(String)
    case providerRejected(String)
    case accountNotAllowed(String)
    case invalidRedirectURI(String)
    case redirectSchemeNotRegistered(String)
    case provider(ProviderRefusal)

    // Tokens.
    case notAnApp
    /// The account that signed in is not the one that the app asked for.
    case otherAccount
    case notAllowed(String)
    case tooManyTokenRequests(limit: Int)

    // Participants.
    /// Its user is that of an earlier turn, or of one that has not begun.
    case otherTurn
    case anotherApp(registered: String)
    case unlistedApp
    case proofNeeded
    case tooManyParticipants(limit: Int)
    case tooManyForUser(limit: Int)
    case tooManyForProcess(limit: Int)
    case tooManyConnections(limit: Int)
    case tooManyDebts(limit: Int)
    case notRegistered
    case notYours
    case staleEpoch(expected: Epoch)
    case mustClearFirst(Epoch)
    case saidOtherwise(AcknowledgementOutcome)
    case extendedEnough
    case detailsTooLong(limit: Int)
    case nothingToExtend

    // Administration.
    case notQuarantined
    /// The worker's browser, or that of a sign-in, has not ended.
    case notEnded
    case pageMissing
    case unknownApp
    case busyClearing

    case journalFailed
    case agentMissing
    case invalidOption(String)
    case failed
}
