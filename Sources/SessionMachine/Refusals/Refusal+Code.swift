public import Vocabulary

extension Refusal {
    /// The error that the caller gets.
    public var code: ErrorCode {
        switch self {
        case .signingIn, .unlocking: .signingIn
        case .signingOut, .busyClearing: .signingOut
        case .quarantined, .notEnded, .pageMissing: .quarantined
        case .accountMismatch, .otherAccount: .accountMismatch
        case .canceled: .userCanceled
        case .notSigningIn, .notSignedIn: .notSignedIn
        case .notShared: .notShared
        case .pinRequired, .pinForgotten: .pinRequired
        case .notAuthorizedToCancel, .otherTurn, .unlistedApp, .proofNeeded, .notYours, .wrongCredentials, .lockedOut,
            .accountNotAllowed, .notAllowed:
            .notAuthorized
        case .providerUnreachable: .providerUnreachable
        case .providerRejected: .providerRejected
        case .provider(let refusal): refusal.kind.code
        case .invalidRedirectURI: .invalidRedirectURI
        case .redirectSchemeNotRegistered: .redirectSchemeNotRegistered
        case .epochAhead, .anotherApp, .saidOtherwise, .nothingToExtend, .notQuarantined, .unknownApp, .invalidOption,
            .pinChosen, .noPhones, .notLocked:
            .invalidArgument
        case .tooManyParticipants, .tooManyForUser, .tooManyForProcess, .tooManyConnections, .tooManyDebts,
            .extendedEnough, .detailsTooLong,
            .tooManyTokenRequests:
            .limitExceeded
        case .notRegistered, .notAnApp: .notRegistered
        case .staleEpoch, .mustClearFirst: .staleEpoch
        case .agentMissing: .agentMissing
        case .journalFailed, .notCovered, .failed: .failed
        }
    }

    public var name: String { code.rawValue }
}
