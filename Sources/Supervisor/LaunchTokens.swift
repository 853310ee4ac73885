internal import BatonContract
internal import CLinux
internal import Crypto
internal import DBus
internal import Glibc
internal import LocalAccounts
internal import Secrets

/// The tokens that the agent handed to apps at launch; kept as digests, and never shown.
actor LaunchTokens {
    private nonisolated let thread: BusThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private var digests: [String: [SHA256.Digest]] = [:]
    /// Instances of one app that may be launched in one turn of the daemon.
    private static let limit = 16

    init(thread: BusThread) { self.thread = thread }

    /// The agent is about to start this app and handed it this token.
    func launched(_ app: String, _ descriptor: OwnedDescriptor) async throws {
        let digest = try await digest(of: descriptor)
        digests[app, default: []].append(digest)
        if let count = digests[app]?.count, count > Self.limit { digests[app]?.removeFirst(count - Self.limit) }
    }

    /// Whether the token is one that the agent handed to that app. No token is no proof; a wrong one is an error.
    func isRight(_ descriptor: OwnedDescriptor?, for app: String) async throws -> Bool {
        guard let descriptor else { return false }
        let digest = try await digest(of: descriptor)
        guard digests[app]?.contains(digest) == true else {
            throw BatonError(.notAuthorized, "This token does not belong to this app.")
        }
        return true
    }

    /// Tokens belong to the agent that handed them out.
    func forget() { digests = [:] }

    private func digest(of descriptor: OwnedDescriptor) async throws -> SHA256.Digest {
        let secret: Secret
        do {
            secret = try await PINDescriptor.read(descriptor.rawValue)
        } catch {
            throw BatonError(.invalidArgument, "The token must be a sealed memfd of at most 256 bytes.")
        }
        guard secret.count >= 16 else { throw BatonError(.invalidArgument, "The token is shorter than 16 bytes.") }
        return secret.withUnsafeBytes { SHA256.hash(data: $0) }
    }
}
