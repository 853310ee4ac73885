import CryptoExtras
import FoundationEssentials
public import Secrets

/// A salted scrypt hash of a PIN, in text `scrypt$ln=15,r=8,p=1$<salt>$<hash>` with unpadded base64.
public struct PINHash: Sendable, Hashable {
    /// PINs are 1 to this many bytes.
    public static let longestPIN = 256
    /// A new PIN has at least so many, unless the settings say otherwise.
    public static let shortestPIN = 4

    private static let saltLength = 16
    private static let hashLength = 32

    public let parameters: ScryptParameters
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Why a PIN cannot be hashed.
    public enum Fault: Error, Equatable {
        /// The PIN is empty.
        case empty
        /// The PIN is longer than `longestPIN` bytes.
        case tooLong
        /// The computation failed, for want of memory as a rule.
        case computation
    }

    /// Hashes a new PIN with a random salt. Takes tens of milliseconds and the memory of the parameters: not for a
    /// pool thread that others wait for.
    public static func make(
        pin: Secret, parameters: ScryptParameters = .standard
    ) throws(Fault) -> PINHash {
        guard pin.count > 0 else { throw .empty }
        guard pin.count <= longestPIN else { throw .tooLong }
        var random = SystemRandomNumberGenerator()
        let salt = (0..<saltLength).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        guard let hash = derive(pin, salt: salt, parameters: parameters) else { throw .computation }
        return PINHash(parameters: parameters, salt: salt, hash: hash)
    }

    /// A hash that no PIN matches, to spend the same time on an unknown user name.
    public static func unmatchable(parameters: ScryptParameters = .standard) -> PINHash {
        PINHash(
            parameters: parameters, salt: [UInt8](repeating: 0, count: saltLength),
            hash: [UInt8](repeating: 0, count: hashLength), matchable: false)
    }

    private let matchable: Bool

    private init(parameters: ScryptParameters, salt: [UInt8], hash: [UInt8], matchable: Bool = true) {
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
        self.matchable = matchable
    }

    /// Whether this is the PIN, in a time that depends on the parameters only. Costs as much as `make`.
    public func verify(pin: Secret) -> Bool {
        let usable = pin.count > 0 && pin.count <= Self.longestPIN
        let candidate = usable ? pin : Secret([0])
        guard let derived = Self.derive(candidate, salt: salt, parameters: parameters) else { return false }
        var difference: UInt8 = derived.count == hash.count ? 0 : 1
        for (left, right) in zip(derived, hash) {
            difference |= left ^ right
        }
        return difference == 0 && usable && matchable
    }

    private static func derive(_ pin: Secret, salt: [UInt8], parameters: ScryptParameters) -> [UInt8]? {
        pin.withUnsafeBytes { bytes in
            let key = try? KDF.Scrypt.deriveKey(
                from: bytes.bindMemory(to: UInt8.self), salt: salt, outputByteCount: hashLength,
                rounds: 1 << parameters.logRounds, blockSize: parameters.blockSize,
                parallelism: parameters.parallelism)
            return key.map { key in key.withUnsafeBytes { Array($0) } }
        }
    }
}

extension PINHash {
    /// The text for the settings file.
    public var text: String {
        "scrypt$\(parameters.text)$\(Self.encode(salt))$\(Self.encode(hash))"
    }

    /// Reads exactly the form that `text` writes; nil for anything else, or when the cost is out of bounds.
    public init?(text: String) {
        guard text.utf8.count <= 256 else { return nil }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "scrypt", let parameters = ScryptParameters(text: parts[1]),
            let salt = Self.decode(parts[2]), (8...64).contains(salt.count),
            let hash = Self.decode(parts[3]), hash.count == Self.hashLength
        else { return nil }
        self.init(parameters: parameters, salt: salt, hash: hash)
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding) else { return nil }
        let bytes = [UInt8](data)
        // One spelling for each hash: unused bits and stray characters are refused.
        return encode(bytes) == text ? bytes : nil
    }
}

extension PINHash: CustomStringConvertible, CustomReflectable {
    /// The parameters only: a hash of a short PIN is as good as the PIN.
    public var description: String { "scrypt$\(parameters.text)$<secret>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
