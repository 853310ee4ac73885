extension AccessToken {
    /// What is assumed where the provider does not say how long a token is good: half of it is handed out.
    static let assumedLife: Int64 = 600

    /// Nil: the answer has none.
    init?(_ answer: TokenAnswer, asked: ScopeSet, received: Int64, correlationID: String) {
        guard let token = answer.accessToken else { return nil }
        let granted = answer.scopes.map { ScopeSet(granted: $0) } ?? asked
        let (expires, overflow) = received.addingReportingOverflow(answer.expiresIn ?? Self.assumedLife)
        self.init(
            token: token, expires: overflow ? received : expires, grantedScopes: granted.list,
            declinedScopes: asked.declined(granted: granted), correlationID: correlationID)
    }
}
