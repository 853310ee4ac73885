import Crypto
import CryptoExtras
import FoundationEssentials
import WebText

/// The provider's keys: an RSA and an elliptic one, and those of before the last rotation.
public struct ProviderSigningKeys: Sendable {
    struct Pair: Sendable {
        let rsa: _RSA.Signing.PrivateKey
        let rsaID: String
        let elliptic: P256.Signing.PrivateKey
        let ellipticID: String
        private let primitives: _RSA.Signing.PublicKey.Primitives

        init(rsa: _RSA.Signing.PrivateKey) throws {
            self.rsa = rsa
            primitives = try rsa.publicKey.getKeyPrimitives()
            // The same key keeps its name over restarts.
            rsaID = "rsa-" + Base64URL.encode(Array(SHA256.hash(data: primitives.modulus).prefix(6)))
            elliptic = P256.Signing.PrivateKey()
            ellipticID = "ec-" + Base64URL.encode(Unguessable.bytes(6))
        }

        static func fresh() throws -> Pair { try Pair(rsa: _RSA.Signing.PrivateKey(keySize: .bits2048)) }

        var documents: [JSONValue] {
            let point = elliptic.publicKey.rawRepresentation
            return [
                [
                    "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(rsaID),
                    "n": .string(Base64URL.encode(primitives.modulus)),
                    "e": .string(Base64URL.encode(primitives.publicExponent)),
                ],
                [
                    "kty": "EC", "use": "sig", "alg": "ES256", "crv": "P-256", "kid": .string(ellipticID),
                    "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
                ],
            ]
        }
    }

    private(set) var current: Pair
    private var previous: Pair?

    /// Makes fresh keys, which takes a while.
    public init() throws { current = try Pair.fresh() }

    /// - Parameter rsa: A private key of 2048 bits or more, as PEM (PKCS #8 or PKCS #1).
    /// - Throws: When it is not one.
    public init(rsa: String) throws {
        current = try Pair(rsa: _RSA.Signing.PrivateKey(pemRepresentation: rsa))
    }

    /// The old keys stay published until the next rotation.
    mutating func rotate() throws {
        let fresh = try Pair.fresh()
        previous = current
        current = fresh
    }

    private var all: [Pair] { [current] + (previous.map { [$0] } ?? []) }

    /// The key set (RFC 7517).
    ///
    /// - Parameter issuer: What Entra ID says beside each key: whose tokens it may sign.
    func document(of issuer: String?) -> JSONValue {
        let keys = all.flatMap(\.documents).map { key -> JSONValue in
            guard let issuer, case .object(var members) = key else { return key }
            members["issuer"] = .string(issuer)
            return .object(members)
        }
        return ["keys": .array(keys)]
    }

    /// The claims of a token that this provider signed; its dates are not looked at.
    func verify(_ token: String) -> JSONValue? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0].utf8).flatMap({ JSONValue($0) }),
            let claims = Base64URL.decode(parts[1].utf8), let signature = Base64URL.decode(parts[2].utf8),
            let key = header["kid"]?.string
        else { return nil }
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        let isRight: Bool? =
            switch header["alg"]?.string {
            case "RS256":
                all.first { $0.rsaID == key }?.rsa.publicKey.isValidSignature(
                    _RSA.Signing.RSASignature(rawRepresentation: signature), for: signed, padding: .insecurePKCS1v1_5)
            case "ES256":
                all.first { $0.ellipticID == key }.flatMap { pair in
                    (try? P256.Signing.ECDSASignature(rawRepresentation: signature)).map {
                        pair.elliptic.publicKey.isValidSignature($0, for: signed)
                    }
                }
            default: nil
            }
        return isRight == true ? HostileJSON.readBack(claims) : nil
    }
}
