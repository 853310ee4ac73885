import Crypto
public import Secrets

/// The key that receipts are signed with: Ed25519, RFC 8032.
public struct ReceiptKey: Sendable {
    /// PKCS #8 of RFC 8410, section 7, up to the key's 32 bytes: as `openssl genpkey -algorithm ed25519` writes it.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
    private static let label = "PRIVATE KEY"

    private let key: Curve25519.Signing.PrivateKey
    public let publicKey: ReceiptPublicKey

    /// A new one.
    public init() { self.init(Curve25519.Signing.PrivateKey()) }

    /// Nil: no Ed25519 key in PEM.
    public init?(_ pem: Secret) {
        guard let bytes = PEMText.bytes(Self.label, pem.text, count: Self.prefix.count + 32),
            bytes.starts(with: Self.prefix),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes.dropFirst(Self.prefix.count))
        else { return nil }
        self.init(key)
    }

    private init(_ key: Curve25519.Signing.PrivateKey) {
        self.key = key
        publicKey = ReceiptPublicKey(key.publicKey)
    }

    public var pem: Secret { Secret(text: PEMText.text(Self.label, Self.prefix + Array(key.rawRepresentation))) }

    /// The entry with this key's id and signature.
    ///
    /// - Throws: When there is no memory for it.
    public func signed(_ entry: ChainEntry) throws -> ChainEntry {
        var entry = entry
        entry.keyID = publicKey.id
        entry.signature = Base64.text(try key.signature(for: entry.message))
        return entry
    }
}

extension ReceiptKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<receipt key \(publicKey.id)>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
