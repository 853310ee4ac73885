import Crypto
import FoundationEssentials
import JWTKit
import Secrets
import WebText

/// A signed statement of who the client is: `private_key_jwt` (RFC 7523, section 3; OpenID Connect Core, section 9).
struct ClientAssertion {
    private struct Claims: JWTPayload {
        let iss: String
        let sub: String
        let aud: String
        let jti: String
        let iat: Int64
        let nbf: Int64
        let exp: Int64

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    /// Seconds for which one is good.
    private static let life: Int64 = 300

    private let pem: String
    private let certificate: [UInt8]

    /// - Parameter file: a PEM file's bytes with a private key and its certificate, which comes first where there are
    ///   more.
    /// - Throws: `misconfigured`.
    init(_ file: Secret) throws(IdentityError) {
        pem = file.text
        guard let certificate = Self.block("CERTIFICATE", of: pem),
            let bytes = Data(base64Encoded: certificate, options: .ignoreUnknownCharacters), !bytes.isEmpty
        else { throw IdentityError(.misconfigured(what: "client certificate: no certificate in the file")) }
        self.certificate = [UInt8](bytes)
    }

    func text(clientID: String, audience: String, now: Int64) async throws(IdentityError) -> String {
        let claims = Claims(
            iss: clientID, sub: clientID, aud: audience, jti: RandomText.make(), iat: now, nbf: now,
            exp: now &+ Self.life)
        var header = JWTHeader()
        header.typ = "JWT"
        header.x5t = Base64URL.encode(Insecure.SHA1.hash(data: certificate))
        header.x5tS256 = Base64URL.encode(SHA256.hash(data: certificate))
        do {
            return try await keys().sign(claims, header: header)
        } catch let error as IdentityError {
            throw error
        } catch {
            throw IdentityError(.misconfigured(what: "client certificate: its key cannot sign"))
        }
    }

    private func keys() async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        let found = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"].lazy.compactMap { label in
            Self.block(label, of: pem).map { "-----BEGIN \(label)-----\($0)-----END \(label)-----\n" }
        }
        guard let key = found.first else {
            throw IdentityError(.misconfigured(what: "client certificate: no private key in the file"))
        }
        if let key = try? Insecure.RSA.PrivateKey(pem: key) {
            return await keys.add(rsa: key, digestAlgorithm: .sha256)
        } else if let key = try? ES256PrivateKey(pem: key) {
            return await keys.add(ecdsa: key)
        } else if let key = try? ES384PrivateKey(pem: key) {
            return await keys.add(ecdsa: key)
        } else if let key = try? ES512PrivateKey(pem: key) {
            return await keys.add(ecdsa: key)
        }
        throw IdentityError(.misconfigured(what: "client certificate: a key of a kind that cannot be used"))
    }

    /// What stands between the first pair of lines with that label.
    private static func block(_ label: String, of pem: String) -> String? {
        guard let start = pem.firstRange(of: "-----BEGIN \(label)-----"),
            let end = pem[start.upperBound...].firstRange(of: "-----END \(label)-----")
        else { return nil }
        return String(pem[start.upperBound..<end.lowerBound])
    }
}
