/// The domain of the errors of `PublicClientApplication`, which are `NSError`s.
public let MSALErrorDomain = "MSALErrorDomain"

/// What an app tells apart; `MSALErrorTable` says which error of the bus becomes which.
public enum MSALError: Int, Hashable, Sendable, CaseIterable {
    /// Everything that an app has no way of its own for: `MSALInternalErrorCodeKey` and the text say what it is.
    case `internal` = -50000
    /// The provider wants a device that is registered with it.
    case workplaceJoinRequired = -50001
    /// Call `acquireToken`.
    case interactionRequired = -50002
    /// The worker or the provider refused some of the scopes.
    case serverDeclinedScopes = -50003
    /// The provider wants an app that is protected by its policies.
    case serverProtectionPoliciesRequired = -50004
    case userCanceled = -50005
    /// The provider cannot be reached, or does not work at present.
    case serverError = -50006
    case insufficientDeviceStrength = -50007
    /// The provider wants the request once more, now that the device is managed.
    case mdmEnrollmentCompletedNeedsRetry = -50008
    /// The worker has to set a new password at the provider.
    case serverInvalidRequestResetPasswordRequired = -50142
}

/// What an `MSALError.internal` is; in its `userInfo` under `MSALInternalErrorCodeKey`. Those of MSAL's codes that can
/// happen here.
public enum MSALInternalError: Int, Hashable, Sendable, CaseIterable {
    case invalidParameter = -42000
    case redirectSchemeNotRegistered = -42001
    case invalidRequest = -42002
    case invalidClient = -42003
    case invalidGrant = -42004
    case invalidScope = -42005
    case unauthorizedClient = -42006
    case unexpected = -42008
    case failedAuthorityValidation = -42010
    case invalidRedirectURI = -42011
    case mismatchedUser = -42101
    case ambiguousAccount = -42102
    case authorizationFailed = -42104
    case accountRequired = -42106
    case sessionCanceled = -42401
    case interactiveSessionAlreadyRunning = -42402
    case noViewController = -42403
    case invalidState = -42501
    case brokerResponseNotReceived = -42700
    case brokerMismatchedResumeState = -42703
    case brokerCorruptedResponse = -42705
    case brokerUnknown = -42711
    case brokerNotAvailable = -42714
}

// MARK: Keys of `userInfo`

/// The provider's error code, or batond's word for the reason: a `String`.
public let MSALOAuthErrorKey = "MSALOAuthErrorKey"
/// The provider's finer error code: a `String`.
public let MSALOAuthSubErrorKey = "MSALOAuthSubErrorKey"
/// What happened and what to do about it: a `String`.
public let MSALErrorDescriptionKey = "MSALErrorDescriptionKey"
/// Microsoft's AADSTS numbers: `[Int]`.
public let MSALSTSErrorCodesKey = "MSALSTSErrorCodesKey"
/// An `Int`, one of `MSALInternalError`.
public let MSALInternalErrorCodeKey = "MSALInternalErrorCodeKey"
/// A `String`.
public let MSALCorrelationIDKey = "MSALCorrelationIDKey"
/// `[String]`
public let MSALDeclinedScopesKey = "MSALDeclinedScopesKey"
/// `[String]`
public let MSALGrantedScopesKey = "MSALGrantedScopesKey"
/// The name of the error on the bus, such as `org.baton.Error.NotSignedIn`: a `String`; absent where it did not come
/// from batond.
public let BatonErrorNameKey = "BatonErrorNameKey"
