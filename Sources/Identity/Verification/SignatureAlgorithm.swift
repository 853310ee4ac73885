import Crypto
import WebText

/// The signature algorithms of RFC 7518 and RFC 8037 that prove something; `none` and those with a shared secret do not.
enum SignatureAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"

    /// The left half of a text's hash in Base64, as `at_hash` and `c_hash` have it (OpenID Connect Core, 3.1.3.6).
    func halfHash(of bytes: [UInt8]) -> String {
        let hash: [UInt8] =
            switch self {
            case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
            case .rs384, .ps384, .es384: Array(SHA384.hash(data: bytes))
            case .rs512, .ps512, .es512, .edDSA: Array(SHA512.hash(data: bytes))
            }
        return Base64URL.encode(hash.prefix(hash.count / 2))
    }
}
