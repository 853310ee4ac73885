import Crypto
import CryptoExtras
import FoundationEssentials
import WebText

/// Makes signed tokens (RFC 7515, RFC 7519), and on demand ones that no client may accept.
struct TokenSigning: Sendable {
    enum Flaw: Sendable {
        case brokenSignature, unknownKey, unsigned, symmetric
    }

    let keys: ProviderSigningKeys
    var algorithm: SigningAlgorithm = .rs256
    var type = "JWT"
    var flaw: Flaw?

    func sign(_ claims: JSONValue) throws -> String {
        let pair = keys.current
        var header: [String: JSONValue] = [
            "typ": .string(type), "alg": .string(algorithm.rawValue),
            "kid": .string(algorithm == .rs256 ? pair.rsaID : pair.ellipticID),
        ]
        switch flaw {
        case .unknownKey: header["kid"] = .string("gone-" + Unguessable.userCode())
        case .unsigned:
            header["alg"] = "none"
            header["kid"] = nil
        case .symmetric: header["alg"] = "HS256"
        case .brokenSignature, nil: break
        }
        let text = Base64URL.encode(JSONValue.object(header).bytes) + "." + Base64URL.encode(claims.bytes)
        let data = Data(text.utf8)
        var signature: [UInt8]
        switch (flaw, algorithm) {
        case (.unsigned, _): signature = []
        case (.symmetric, _):
            let secret = SymmetricKey(data: Data(pair.rsa.publicKey.pemRepresentation.utf8))
            signature = Array(HMAC<SHA256>.authenticationCode(for: data, using: secret))
        case (_, .rs256):
            signature = Array(try pair.rsa.signature(for: data, padding: .insecurePKCS1v1_5).rawRepresentation)
        case (_, .es256): signature = Array(try pair.elliptic.signature(for: data).rawRepresentation)
        }
        if flaw == .brokenSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return text + "." + Base64URL.encode(signature)
    }
}
