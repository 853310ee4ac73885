public import Baton

/// Which code of MSAL's each error is: one for one, so that nothing that batond tells apart becomes the same.
public enum MSALErrorTable {
    public struct Entry: Hashable, Sendable {
        public var code: MSALError
        /// Nil where `code` says all.
        public var internalCode: MSALInternalError?

        public init(_ code: MSALError, _ internalCode: MSALInternalError? = nil) {
            self.code = code
            self.internalCode = internalCode
        }

        init(_ internalCode: MSALInternalError) { self.init(.internal, internalCode) }
    }

    /// The entry of an error's name alone.
    public static func entry(for code: BatonError.Code) -> Entry {
        switch code {
        case .interactionRequired: Entry(.interactionRequired)
        case .notSignedIn: Entry(.interactionRequired, .accountRequired)
        case .serverDeclinedScopes: Entry(.serverDeclinedScopes)
        case .userCanceled: Entry(.userCanceled)
        case .providerUnreachable: Entry(.serverError)
        case .invalidArgument: Entry(.invalidParameter)
        case .redirectSchemeNotRegistered: Entry(.redirectSchemeNotRegistered)
        case .limitExceeded: Entry(.invalidRequest)
        case .notRegistered: Entry(.invalidClient)
        case .notAuthorized: Entry(.unauthorizedClient)
        case .failed: Entry(.unexpected)
        case .invalidRedirectURI: Entry(.invalidRedirectURI)
        case .accountMismatch: Entry(.mismatchedUser)
        case .alreadySignedIn: Entry(.ambiguousAccount)
        case .providerRejected: Entry(.authorizationFailed)
        case .signingOut: Entry(.sessionCanceled)
        case .signingIn: Entry(.interactiveSessionAlreadyRunning)
        case .agentMissing: Entry(.noViewController)
        case .quarantined: Entry(.invalidState)
        case .staleEpoch: Entry(.brokerMismatchedResumeState)
        case .notShared: Entry(.brokerUnknown)
        case .pinRequired: Entry(.interactionRequired, .invalidState)
        }
    }

    /// The reasons, sub-errors and AADSTS numbers for which MSAL has a code of its own, whatever the error's name; the
    /// first that fits counts.
    public static let reasons: [(word: String, entry: Entry)] = [
        ("50142", Entry(.serverInvalidRequestResetPasswordRequired)),
        ("50127", Entry(.workplaceJoinRequired)),
        ("50129", Entry(.workplaceJoinRequired)),
        ("device_authentication_failed", Entry(.workplaceJoinRequired)),
        ("53009", Entry(.serverProtectionPoliciesRequired)),
        ("protection_policy_required", Entry(.serverProtectionPoliciesRequired)),
        ("insufficient_device_strength", Entry(.insufficientDeviceStrength)),
        ("mdm_enrollment_completed", Entry(.mdmEnrollmentCompletedNeedsRetry)),
        // Nothing that the worker does helps, so an app that asks interactively then would ask for ever.
        ("admin_consent_required", Entry(.authorizationFailed)),
    ]

    /// What `ProviderRejected` is in MSAL's words, by its reason; every other one is `authorizationFailed`.
    public static let rejections: [String: MSALInternalError] = [
        "invalid_request": .invalidRequest, "invalid_client": .invalidClient, "invalid_grant": .invalidGrant,
        "invalid_scope": .invalidScope, "unauthorized_client": .unauthorizedClient,
    ]

    public static func entry(for error: BatonError) -> Entry {
        let details = TokenErrorDetails(error.details)
        let words = Set([details.reason, details.subError] + details.errorCodes.map(String.init))
        if let found = reasons.first(where: { words.contains($0.word) }) { return found.entry }
        if error.code == .providerRejected, let code = rejections[details.reason] { return Entry(code) }
        return entry(for: error.code)
    }

    public static func entry(for error: DeviceError) -> Entry {
        switch error {
        case .noDaemon: Entry(.brokerNotAvailable)
        case .notAllowed: Entry(.unauthorizedClient)
        case .timedOut: Entry(.brokerResponseNotReceived)
        case .unexpected: Entry(.brokerCorruptedResponse)
        }
    }
}
