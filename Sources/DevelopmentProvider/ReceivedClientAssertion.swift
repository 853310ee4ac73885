import JWTKit

/// What a client signs to say who it is (RFC 7523, section 3).
struct ReceivedClientAssertion: JWTPayload {
    var iss: IssuerClaim
    var sub: SubjectClaim
    var aud: AudienceClaim
    var exp: ExpirationClaim
    var jti: IDClaim

    /// The claims are compared where the client is known.
    func verify(using algorithm: some JWTAlgorithm) async throws {}

    /// - Parameter text: A PEM public key or a JSON key set.
    static func keys(_ text: String) async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        if text.contains("-----BEGIN") {
            if let key = try? Insecure.RSA.PublicKey(pem: text) {
                await keys.add(rsa: key, digestAlgorithm: .sha256)
                await keys.add(pss: key, digestAlgorithm: .sha256)
            } else {
                await keys.add(ecdsa: try ES256PublicKey(pem: text))
            }
        } else {
            try await keys.add(jwksJSON: text)
        }
        return keys
    }
}
