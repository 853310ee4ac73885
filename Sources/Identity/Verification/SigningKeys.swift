import JWTKit
import WebText

/// The keys that a provider signs with, as its key document says them.
struct SigningKeys: Sendable {
    /// How many keys a document may hold; real ones hold a dozen.
    private static let most = 128
    /// How many keys are tried for one token.
    private static let mostTried = 16
    private static let largest = 512 << 10

    private struct Key: Sendable {
        let id: String?
        let issuer: String?
        let verifiers: [SignatureAlgorithm: any JWTAlgorithm]
    }

    private let keys: [Key]

    /// Reads a key document; keys that cannot verify signatures are passed over.
    ///
    /// - Throws: `invalidAnswer` when nothing can be verified with it.
    init(_ body: [UInt8]) async throws(IdentityError) {
        var keys: [Key] = []
        for key in try Self.read(body) {
            var verifiers: [SignatureAlgorithm: any JWTAlgorithm] = [:]
            for algorithm in key.algorithms { verifiers[algorithm] = await key.verifier(for: algorithm) }
            keys.append(Key(id: key.id, issuer: key.issuer, verifiers: verifiers))
        }
        self.keys = keys
    }

    static func read(_ body: [UInt8]) throws(IdentityError) -> [JSONWebKey] {
        guard body.count <= largest, let list = JSONValue(body)?["keys"]?.array, list.count <= most else {
            throw IdentityError(.invalidAnswer(what: "the key document is not a list of keys"))
        }
        let keys = list.compactMap { JSONWebKey($0) }
        guard !keys.isEmpty else {
            throw IdentityError(.invalidAnswer(what: "the key document has no key that verifies signatures"))
        }
        return keys
    }

    /// Whether there is a key that the token may have been signed with.
    func fit(_ token: SignedToken) -> Bool { !candidates(for: token).isEmpty }

    /// nil: none of these keys signed it.
    func verify(_ token: SignedToken) -> VerifiedToken? { token.verified(by: candidates(for: token)) }

    private func candidates(for token: SignedToken) -> [SignedToken.Candidate] {
        let fitting = keys.lazy.filter { token.keyID == nil || $0.id == nil || $0.id == token.keyID }
        let candidates = fitting.compactMap { key in
            key.verifiers[token.algorithm].map { SignedToken.Candidate(verifier: $0, issuer: key.issuer) }
        }
        return Array(candidates.prefix(Self.mostTried))
    }
}
