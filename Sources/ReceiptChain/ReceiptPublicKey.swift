import Crypto

/// What shows whether an entry was signed with a key. It is not secret.
public struct ReceiptPublicKey: Hashable, Sendable {
    /// SubjectPublicKeyInfo of RFC 8410, section 4, up to the key's 32 bytes.
    private static let prefix: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    private static let label = "PUBLIC KEY"

    /// 32 bytes.
    private let bytes: [UInt8]
    /// SHA-256 of its SubjectPublicKeyInfo in hexadecimal, by which entries name it.
    public let id: String

    init(_ key: Curve25519.Signing.PublicKey) { self.init(Array(key.rawRepresentation)) }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        id = Hexadecimal.text(SHA256.hash(data: Self.prefix + bytes))
    }

    /// - Parameter text: A PEM file, or SubjectPublicKeyInfo in base64 as `base64` has it. Nil: no Ed25519 key of either kind.
    public init?(text: String) {
        let word = text.split(whereSeparator: \.isWhitespace).joined()
        let count = Self.prefix.count + 32
        guard let found = PEMText.bytes(Self.label, text, count: count) ?? Base64.bytes(word, count: count),
            found.starts(with: Self.prefix)
        else { return nil }
        self.init(Array(found.dropFirst(Self.prefix.count)))
    }

    /// Whether a text has a private key in it, which no command should be given.
    public static func isPrivate(_ text: String) -> Bool { text.contains("PRIVATE KEY-----") }

    /// SubjectPublicKeyInfo in base64, on one line.
    public var base64: String { Base64.text(Self.prefix + bytes) }

    /// As `openssl pkey -pubin` reads it.
    public var pem: String { PEMText.text(Self.label, Self.prefix + bytes) }

    /// Whether the entry was signed with this key, as it is.
    public func hasSigned(_ entry: ChainEntry) -> Bool {
        guard entry.keyID == id, let signature = Base64.bytes(entry.signature, count: 64),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: entry.message)
    }
}
