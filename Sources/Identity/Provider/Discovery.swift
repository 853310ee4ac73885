/// The provider's description of itself, read when it is needed and kept while it is fresh.
public actor Discovery {
    public nonisolated let authority: Authority
    private let cache: CachedDocument<ProviderMetadata>

    public init(authority: Authority, http: any HTTPExchange, clock: IdentityClock) {
        self.authority = authority
        cache = CachedDocument(clock: clock) { () throws(IdentityError) in
            let id = IdentityError.freshCorrelationID()
            let answer = try await http.send(HTTPRequest(.get, authority.discoveryURL, correlationID: id))
            let body = try answer.document("the discovery document", correlationID: id)
            do throws(IdentityError) {
                return .init(value: try ProviderMetadata(body, authority: authority), lifetime: answer.lifetime)
            } catch {
                throw IdentityError(error.cause, correlationID: id)
            }
        }
    }

    /// One request serves all who wait; one of them who is cancelled leaves the others their answer.
    ///
    /// - Parameter forceRefresh: Asks the provider even though the document is fresh.
    /// - Throws: the request's errors, `invalidAnswer`, `notTrusted`; without `forceRefresh` only when no document of the
    ///   last 24 hours can serve.
    public func metadata(forceRefresh: Bool = false) async throws(IdentityError) -> ProviderMetadata {
        try await cache.value(forceRefresh: forceRefresh)
    }
}
