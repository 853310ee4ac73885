/// The provider's keys: read when needed, and once more when a token names a key that is not among them.
public actor KeySet {
    /// Tokens with invented key ids must not make this device a burden for the provider: seconds between two attempts.
    private static let patience: Int64 = 10

    private let cache: CachedDocument<SigningKeys>

    public init(discovery: Discovery, http: any HTTPExchange, clock: IdentityClock) {
        cache = CachedDocument(clock: clock) { () throws(IdentityError) in
            let metadata = try await discovery.metadata()
            let id = IdentityError.freshCorrelationID()
            let answer = try await http.send(HTTPRequest(.get, metadata.jwksURI, correlationID: id))
            let body = try answer.document("the key document", correlationID: id)
            return .init(value: try await SigningKeys(body), lifetime: answer.lifetime)
        }
    }

    /// - Throws: `notTrusted` when no key of the provider signed the token, or why the keys could not be read.
    func verify(_ token: SignedToken) async throws(IdentityError) -> VerifiedToken {
        let known = try await cache.value(forceRefresh: false)
        if let verified = known.verify(token) { return verified }
        // A wrong signature as well: some providers change a key and keep its id.
        let renewed = try await cache.refresh(notWithin: Self.patience)
        if let verified = renewed?.verify(token) { return verified }
        let what = (renewed ?? known).fit(token) ? "its signature is wrong" : "its key is not one of the provider's"
        throw IdentityError(.notTrusted(what: "the token is refused: \(what)"))
    }
}
