import Crypto
import JWTKit
import WebText

@testable import Identity

/// A provider's key: signs whatever header and claims a test writes, right or wrong.
struct TokenMaker: Sendable {
    let id: String
    let algorithm: SignatureAlgorithm
    /// As it stands in the provider's key document.
    let publicKey: JSONValue
    private let signer: any JWTAlgorithm

    static func elliptic(_ id: String = "key-1") async throws -> TokenMaker {
        let key = ES256PrivateKey()
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key)
        let point = key.publicKey.parameters
        return TokenMaker(
            id: id, algorithm: .es256,
            publicKey: [
                "kty": "EC", "crv": "P-256", "kid": .string(id), "use": "sig",
                "x": .string(try urlText(point?.x)), "y": .string(try urlText(point?.y)),
            ], signer: try await keys.getKey())
    }

    static func edwards(_ id: String = "key-1") async throws -> TokenMaker {
        let key = Curve25519.Signing.PrivateKey()
        let keys = JWTKeyCollection()
        await keys.add(eddsa: EdDSA.PrivateKey(backing: key))
        return TokenMaker(
            id: id, algorithm: .edDSA,
            publicKey: [
                "kty": "OKP", "crv": "Ed25519", "kid": .string(id),
                "x": .string(Base64URL.encode(key.publicKey.rawRepresentation)),
            ], signer: try await keys.getKey())
    }

    static func rsa(_ algorithm: SignatureAlgorithm, _ id: String = "key-1") async throws -> TokenMaker {
        let key = try Insecure.RSA.PrivateKey(pem: TestKeys.rsa2048)
        let keys = JWTKeyCollection()
        switch algorithm {
        case .rs256: await keys.add(rsa: key, digestAlgorithm: .sha256)
        case .rs384: await keys.add(rsa: key, digestAlgorithm: .sha384)
        case .rs512: await keys.add(rsa: key, digestAlgorithm: .sha512)
        case .ps256: await keys.add(pss: key, digestAlgorithm: .sha256)
        case .ps384: await keys.add(pss: key, digestAlgorithm: .sha384)
        default: await keys.add(pss: key, digestAlgorithm: .sha512)
        }
        let numbers = try key.publicKey.getKeyPrimitives()
        return TokenMaker(
            id: id, algorithm: algorithm,
            publicKey: [
                "kty": "RSA", "kid": .string(id), "n": .string(Base64URL.encode(numbers.modulus)),
                "e": .string(Base64URL.encode(numbers.publicExponent)),
            ], signer: try await keys.getKey())
    }

    /// - Parameter header: Replaces members of the usual header; null takes one away.
    func token(_ claims: [String: JSONValue], header: [String: JSONValue] = [:]) throws -> String {
        var fields: [String: JSONValue] = [
            "alg": .string(algorithm.rawValue), "kid": .string(id), "typ": "JWT",
        ]
        fields.merge(header) { $1 }
        fields = fields.filter { $0.value != .null }
        return try sign(JSONValue.object(fields).text, JSONValue.object(claims.filter { $0.value != .null }).text)
    }

    func sign(_ header: String, _ payload: String) throws -> String {
        let text = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
        return "\(text).\(Base64URL.encode(try signer.sign(Array(text.utf8))))"
    }

    private struct NoPoint: Error {}

    /// jwt-kit gives ordinary Base64.
    private static func urlText(_ text: String?) throws -> String {
        guard let text else { throw NoPoint() }
        return String(
            text.compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}

extension TokenMaker {
    /// A key document of these keys.
    static func document(_ keys: [TokenMaker]) -> [UInt8] {
        JSONValue.object(["keys": .array(keys.map(\.publicKey))]).bytes
    }
}
