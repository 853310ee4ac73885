import JWTKit
import WebText

/// A JSON Web Signature in its compact form (RFC 7515), read but not yet believed.
struct SignedToken: Sendable {
    /// What a token may weigh at most, in bytes.
    static let largest = 64 << 10

    let algorithm: SignatureAlgorithm
    let keyID: String?
    /// In lower case and without `application/`; nil: the token does not say what it is.
    let type: String?
    /// Header and payload as they were sent.
    private let signedBytes: [UInt8]
    private let signature: [UInt8]
    fileprivate let payload: [UInt8]

    /// - Throws: `notTrusted` with the rule that the token breaks.
    init(_ token: [UInt8]) throws(IdentityError) {
        guard token.count <= Self.largest else { throw Self.fault("it is too large") }
        let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let fields = JSONValue(header), fields.object != nil
        else { throw Self.fault("it is not a signed token") }
        guard let algorithm = fields["alg"]?.string.flatMap(SignatureAlgorithm.init) else {
            throw Self.fault("its signature algorithm is not allowed")
        }
        // A critical field changes what a token means, and none is known here (RFC 7515, section 4.1.11).
        guard fields["crit"] == nil else { throw Self.fault("it needs an extension that is not known") }
        guard fields["kid"].map({ ($0.string?.utf8.count).map { $0 <= 255 } ?? false }) ?? true,
            fields["typ"].map({ ($0.string?.utf8.count).map { $0 <= 64 } ?? false }) ?? true
        else { throw Self.fault("its header is invalid") }
        self.algorithm = algorithm
        keyID = fields["kid"]?.string
        type = (fields["typ"]?.string?.lowercased()).map { type in
            type.hasPrefix("application/") ? String(type.dropFirst("application/".count)) : type
        }
        signedBytes = Array(token[parts[0].startIndex..<parts[1].endIndex])
        self.payload = payload
        self.signature = signature
    }

    /// A key that may have signed it.
    struct Candidate: Sendable {
        let verifier: any JWTAlgorithm
        /// See `JSONWebKey.issuer`.
        let issuer: String?
    }

    /// nil: none of them signed it.
    func verified(by candidates: [Candidate]) -> VerifiedToken? {
        // The same key may stand there for several issuers.
        let genuine = candidates.filter { candidate in
            candidate.verifier.name == algorithm.rawValue
                && (try? candidate.verifier.verify(signature, signs: signedBytes)) == true
        }
        return genuine.isEmpty ? nil : VerifiedToken(self, keyIssuers: genuine.map(\.issuer))
    }

    fileprivate static func fault(_ rule: String) -> IdentityError {
        IdentityError(.notTrusted(what: "the token is refused: \(rule)"))
    }
}

/// A token that one of the provider's keys signed; there is no other way to its claims.
struct VerifiedToken: Sendable {
    let token: SignedToken
    /// For each entry of the key document that signed it whose tokens that key may sign; nil: those of any issuer.
    let keyIssuers: [String?]

    fileprivate init(_ token: SignedToken, keyIssuers: [String?]) {
        self.token = token
        self.keyIssuers = keyIssuers
    }

    func claims() throws(IdentityError) -> [String: JSONValue] {
        guard let claims = JSONValue(token.payload)?.object else { throw SignedToken.fault("it has no claims") }
        return claims
    }
}
