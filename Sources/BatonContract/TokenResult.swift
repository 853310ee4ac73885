public import DBus

/// What `AcquireToken` and `AcquireTokenSilently` answer. It holds secrets: it has no description that shows them, and
/// must not be written down.
public struct TokenResult: Sendable {
    /// Goes into an `Authorization` header behind `tokenType`.
    public var accessToken: String
    /// `Bearer`.
    public var tokenType: String
    /// Unix time in seconds.
    public var expires: UInt64
    /// The scopes that the token is good for.
    public var scopes: [String]
    /// Asked for, but not granted.
    public var declinedScopes: [String]
    /// The worker's ID token, already verified by batond; empty where the provider gave none.
    public var idToken: String
    public var account: Account
    /// The claims of the ID token: a JSON object as text; empty with `idToken`.
    public var claims: String
    /// The issuer of the account.
    public var authority: String
    public var correlationID: String
    /// The turn that the token belongs to; when it ends, so does the app's right to use it.
    public var epoch: Epoch

    public init(
        accessToken: String, tokenType: String = "Bearer", expires: UInt64, scopes: [String],
        declinedScopes: [String] = [], idToken: String = "", account: Account, claims: String = "",
        authority: String, correlationID: String, epoch: Epoch
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expires = expires
        self.scopes = scopes
        self.declinedScopes = declinedScopes
        self.idToken = idToken
        self.account = account
        self.claims = claims
        self.authority = authority
        self.correlationID = correlationID
        self.epoch = epoch
    }

    /// Nil for an answer without a token or an account.
    public init?(_ dictionary: VariantDictionary) {
        guard let token = dictionary["access-token"]?.string, !token.isEmpty,
            let account = dictionary["account"]?.dictionary.flatMap({ Account($0) })
        else { return nil }
        func text(_ key: String) -> String { dictionary[key]?.string ?? "" }
        self.init(
            accessToken: token, tokenType: text("token-type"), expires: dictionary["expires"]?.uint64 ?? 0,
            scopes: dictionary["scopes"]?.strings ?? [], declinedScopes: dictionary["declined-scopes"]?.strings ?? [],
            idToken: text("id-token"), account: account, claims: text("claims"), authority: text("authority"),
            correlationID: text("correlation-id"), epoch: dictionary["epoch"].flatMap(Epoch.init) ?? 0)
    }

    /// The dictionary of the bus.
    public var dictionary: VariantDictionary {
        var values: VariantDictionary = [
            "access-token": .string(accessToken), "token-type": .string(tokenType), "expires": .uint64(expires),
            "scopes": .strings(scopes), "declined-scopes": .strings(declinedScopes),
            "account": .dictionary(account.dictionary), "authority": .string(authority),
            "correlation-id": .string(correlationID), "epoch": epoch.variant,
        ]
        if !idToken.isEmpty { values["id-token"] = .string(idToken) }
        if !claims.isEmpty { values["claims"] = .string(claims) }
        return values
    }
}

extension TokenResult: CustomStringConvertible, CustomReflectable {
    public var description: String { "a token for \(account.id), epoch \(epoch)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
