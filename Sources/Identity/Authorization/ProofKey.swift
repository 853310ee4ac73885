import Crypto
import Secrets
import WebText

/// Proof Key for Code Exchange (RFC 7636) with S256: who got the code alone can do nothing with it.
struct ProofKey: Sendable {
    static let method = "S256"

    let verifier: Secret
    let challenge: String

    init() { self.init(verifier: RandomText.make()) }

    init(verifier: String) {
        self.verifier = Secret(text: verifier)
        challenge = Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    }
}
