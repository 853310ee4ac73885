import BusTesting
import Synchronization

/// RSA keys for the providers of a test process. A build for debugging would take seconds of processor time to make one, and openssl
/// a tenth of a second, so three serve all: providers beside or after each other have different ones.
enum SigningKeys {
    private static let made = Mutex<(keys: [String], count: Int)>(([], 0))

    /// As PEM.
    static func next() async throws -> String {
        let (known, number) = made.withLock { state in
            state.count += 1
            return (state.keys, state.count)
        }
        if known.count >= 3 { return known[number % known.count] }
        let key = try await run([
            "openssl", "genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048",
        ])
        made.withLock { $0.keys.append(key) }
        return key
    }
}
