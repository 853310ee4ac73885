public import DBus

/// What an error of `AcquireToken` and `AcquireTokenSilently` says to programs: the answer of `GetErrorDetails`. Never a
/// secret.
public struct TokenErrorDetails: Hashable, Sendable {
    /// Why, in the provider's words or batond's: `login_required`, `consent_required`, `admin_consent_required`,
    /// `invalid_grant`, `restarted` and so on; empty: the error's name says it all.
    public var reason: String
    /// The provider's finer error code, such as Microsoft's `suberror`; empty without one.
    public var subError: String
    /// Microsoft's AADSTS numbers.
    public var errorCodes: [UInt64]
    public var grantedScopes: [String]
    /// With `ServerDeclinedScopes`: what was refused.
    public var declinedScopes: [String]
    /// What the provider demands, a JSON object; the next `AcquireToken` asks for it without being told. Empty: nothing.
    public var claims = ""
    public var correlationID: String

    public init(
        reason: String = "", subError: String = "", errorCodes: [UInt64] = [], grantedScopes: [String] = [],
        declinedScopes: [String] = [], correlationID: String = ""
    ) {
        self.reason = reason
        self.subError = subError
        self.errorCodes = errorCodes
        self.grantedScopes = grantedScopes
        self.declinedScopes = declinedScopes
        self.correlationID = correlationID
    }

    public init(_ dictionary: VariantDictionary) {
        func text(_ key: String) -> String { dictionary[key]?.string ?? "" }
        self.init(
            reason: text("reason"), subError: text("sub-error"), errorCodes: dictionary["error-codes"]?.uint64s ?? [],
            grantedScopes: dictionary["scopes"]?.strings ?? [],
            declinedScopes: dictionary["declined-scopes"]?.strings ?? [], correlationID: text("correlation-id"))
        claims = text("claims")
    }

    /// The dictionary of the bus; what is empty is left out.
    public var dictionary: VariantDictionary {
        var values: VariantDictionary = [:]
        for (key, text) in [
            "reason": reason, "sub-error": subError, "claims": claims, "correlation-id": correlationID,
        ] where !text.isEmpty {
            values[key] = .string(text)
        }
        if !errorCodes.isEmpty { values["error-codes"] = .uint64s(errorCodes) }
        if !grantedScopes.isEmpty { values["scopes"] = .strings(grantedScopes) }
        if !declinedScopes.isEmpty { values["declined-scopes"] = .strings(declinedScopes) }
        return values
    }
}
