extension Refusal {
    /// The last part of the bus error name, `org.baton.Error.…`: one for each cause.
    public var name: String {
        switch self {
        case .signingIn: "SigningIn"
        case .signingOut, .busyClearing: "SigningOut"
        case .quarantined, .notEnded, .pageMissing: "Quarantined"
        case .accountMismatch, .otherAccount: "AccountMismatch"
        case .canceled: "UserCanceled"
        case .notSigningIn, .notSignedIn: "NotSignedIn"
        case .notShared: "NotShared"
        case .notAuthorizedToCancel, .unlistedApp, .proofNeeded, .notYours, .wrongCredentials, .lockedOut,
            .accountNotAllowed, .notAllowed:
            "NotAuthorized"
        case .providerUnreachable: "ProviderUnreachable"
        case .providerRejected: "ProviderRejected"
        case .provider(let refusal): refusal.kind.rawValue
        case .invalidRedirectURI: "InvalidRedirectURI"
        case .redirectSchemeNotRegistered: "RedirectSchemeNotRegistered"
        case .epochAhead, .anotherApp, .saidOtherwise, .nothingToExtend, .notQuarantined, .unknownApp, .invalidOption:
            "InvalidArgument"
        case .tooManyParticipants, .tooManyForUser, .tooManyForProcess, .tooManyConnections, .tooManyDebts,
            .extendedEnough, .detailsTooLong,
            .tooManyTokenRequests:
            "LimitExceeded"
        case .notRegistered, .notAnApp: "NotRegistered"
        case .staleEpoch, .mustClearFirst: "StaleEpoch"
        case .agentMissing: "AgentMissing"
        case .journalFailed, .failed: "Failed"
        }
    }
}
