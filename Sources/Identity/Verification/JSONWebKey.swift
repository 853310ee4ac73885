import JWTKit
import WebText

/// A key of the provider that can verify signatures: RFC 7517 and 7518.
struct JSONWebKey: Sendable {
    private enum Material: Sendable {
        case rsa(Insecure.RSA.PublicKey)
        case p256(ES256PublicKey)
        case p384(ES384PublicKey)
        case p521(ES512PublicKey)
        case ed25519(EdDSA.PublicKey)
    }

    /// nil: the key has no name and may have made any signature.
    let id: String?
    let algorithms: [SignatureAlgorithm]
    /// Whose tokens it may sign, as Entra ID says it beside each key; nil: the document does not say.
    let issuer: String?
    private let material: Material

    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// nil: a key for something else, a weak one, a secret one, or none at all.
    init?(_ value: JSONValue) {
        guard let members = value.object, let type = value["kty"]?.string else { return nil }
        // A private key that a provider publishes is known to all; a secret one would make `HS256` possible.
        guard !Self.privateMembers.contains(where: { members[$0] != nil }) else { return nil }
        guard value["use"].map({ $0 == .string("sig") }) ?? true else { return nil }
        guard value["key_ops"].map({ $0.strings?.contains("verify") ?? false }) ?? true else { return nil }
        if let named = members["kid"] {
            guard let id = named.string, id.utf8.count <= 255 else { return nil }
            self.id = id
        } else {
            id = nil
        }
        guard let (material, possible) = Self.material(of: value, type: type) else { return nil }
        self.material = material
        issuer = value["issuer"]?.string
        if let named = members["alg"] {
            guard let algorithm = named.string.flatMap(SignatureAlgorithm.init), possible.contains(algorithm) else {
                return nil
            }
            algorithms = [algorithm]
        } else {
            algorithms = possible
        }
    }

    private static func material(of value: JSONValue, type: String) -> (Material, [SignatureAlgorithm])? {
        switch (type, value["crv"]?.string) {
        case ("RSA", _):
            guard let (modulus, exponent) = rsaNumbers(of: value),
                let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            else { return nil }
            return (.rsa(key), [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
        case ("EC", "P-256"):
            guard let point = point(of: value, size: 32), let key = try? ES256PublicKey(parameters: point) else {
                return nil
            }
            return (.p256(key), [.es256])
        case ("EC", "P-384"):
            guard let point = point(of: value, size: 48), let key = try? ES384PublicKey(parameters: point) else {
                return nil
            }
            return (.p384(key), [.es384])
        case ("EC", "P-521"):
            guard let point = point(of: value, size: 66), let key = try? ES512PublicKey(parameters: point) else {
                return nil
            }
            return (.p521(key), [.es512])
        case ("OKP", "Ed25519"):
            guard let x = number(value["x"], size: 32...32),
                let key = try? EdDSA.PublicKey(x: x, curve: .ed25519)
            else { return nil }
            return (.ed25519(key), [.edDSA])
        default: return nil
        }
    }

    /// Between 2048 bits, below which keys can be broken, and 8192, above which each signature costs too much.
    private static func rsaNumbers(of value: JSONValue) -> (modulus: String, exponent: String)? {
        guard let text = value["n"]?.string, text.utf8.count <= 1400, let modulus = Base64URL.decode(text.utf8),
            let exponent = number(value["e"], size: 1...4),
            Base64URL.decode(exponent.utf8).map({ $0 != [1] && $0.first != 0 }) == true
        else { return nil }
        let digits = modulus.drop { $0 == 0 }
        guard let first = digits.first else { return nil }
        let bits = digits.count * 8 - first.leadingZeroBitCount
        return (2048...8192).contains(bits) ? (Base64URL.encode(digits), exponent) : nil
    }

    private static func point(of value: JSONValue, size: Int) -> (x: String, y: String)? {
        guard let x = number(value["x"], size: size...size), let y = number(value["y"], size: size...size) else {
            return nil
        }
        return (x, y)
    }

    /// The text of a number that has so many bytes.
    private static func number(_ value: JSONValue?, size: ClosedRange<Int>) -> String? {
        guard let text = value?.string, text.utf8.count <= 128, let bytes = Base64URL.decode(text.utf8) else {
            return nil
        }
        return size.contains(bytes.count) ? text : nil
    }

    /// What verifies signatures of one algorithm; nil: the key is not for it.
    func verifier(for algorithm: SignatureAlgorithm) async -> (any JWTAlgorithm)? {
        guard algorithms.contains(algorithm) else { return nil }
        let keys = JWTKeyCollection()
        switch (material, algorithm) {
        case (.rsa(let key), .rs256): await keys.add(rsa: key, digestAlgorithm: .sha256)
        case (.rsa(let key), .rs384): await keys.add(rsa: key, digestAlgorithm: .sha384)
        case (.rsa(let key), .rs512): await keys.add(rsa: key, digestAlgorithm: .sha512)
        case (.rsa(let key), .ps256): await keys.add(pss: key, digestAlgorithm: .sha256)
        case (.rsa(let key), .ps384): await keys.add(pss: key, digestAlgorithm: .sha384)
        case (.rsa(let key), .ps512): await keys.add(pss: key, digestAlgorithm: .sha512)
        case (.p256(let key), .es256): await keys.add(ecdsa: key)
        case (.p384(let key), .es384): await keys.add(ecdsa: key)
        case (.p521(let key), .es512): await keys.add(ecdsa: key)
        case (.ed25519(let key), .edDSA): await keys.add(eddsa: key)
        default: return nil
        }
        return try? await keys.getKey()
    }
}
