import Secrets

/// A browser sign-in under way: what was promised to the provider and to no other party.
struct AuthorizationFlight: Sendable {
    let proofKey: ProofKey
    let redirectURI: String
    /// The provider's, for RFC 9207.
    let issuer: String
    let requiresIssuer: Bool
    let expires: Int64
    var expectation: RelyingParty.Expectation
    /// A caller waits for the answer; no other may.
    var isAwaited = false
    let code = SharedAnswer<Secret>()

    /// What an answer for this sign-in comes to.
    func outcome(of answer: RedirectAnswer) -> SharedAnswer<Secret>.Outcome {
        // An answer of another provider must not be taken for one of ours (mix-up).
        switch answer.issuer {
        case nil where requiresIssuer:
            return .failure(IdentityError(.notTrusted(what: "iss: missing in the answer")))
        case let other? where !Self.matches(other, issuer):
            return .failure(IdentityError(.notTrusted(what: "iss: the answer is another provider's")))
        default: break
        }
        switch answer.content {
        case .code(let code): return .success(code)
        case .error(let error):
            return .failure(error.identityError(status: 302, correlationID: expectation.correlationID))
        }
    }

    /// Entra ID's common authorities name the tenant only in the answer.
    private static func matches(_ issuer: String, _ pattern: String) -> Bool {
        guard let place = pattern.firstRange(of: "{tenantid}") else { return issuer == pattern }
        let before = pattern[..<place.lowerBound]
        let after = pattern[place.upperBound...]
        guard issuer.hasPrefix(before), issuer.hasSuffix(after), issuer.count > before.count + after.count else {
            return false
        }
        let tenant = issuer.dropFirst(before.count).dropLast(after.count)
        return tenant.count <= 64 && tenant.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
}
