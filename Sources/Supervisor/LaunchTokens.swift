import BatonContract
import CLinux
import Crypto
package import DBus
import Glibc
import Secrets

/// The tokens that the agent handed to apps at launch; kept as digests, and never shown.
package actor LaunchTokens {
    private nonisolated let thread: BusThread
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private struct Token {
        let digest: SHA256.Digest
        /// The one connection that has shown it.
        var holder: BusName?
    }

    private var tokens: [String: [Token]] = [:]
    /// Instances of one app that may be launched in one turn of the daemon.
    private static let limit = 16

    package init(thread: BusThread) { self.thread = thread }

    private static let longest = 256

    /// The agent is about to start this app and handed it this token.
    package func launched(_ app: String, _ descriptor: OwnedDescriptor) throws {
        tokens[app, default: []].append(Token(digest: try digest(of: descriptor)))
        if let count = tokens[app]?.count, count > Self.limit { tokens[app]?.removeFirst(count - Self.limit) }
    }

    /// Whether the token is one that the agent handed to that app. No token is no proof; a wrong one is an error, and so is
    /// one that another connection has shown before, or that comes from a process which the agent did not start.
    ///
    /// - Parameter isStarted: Asks the agent whether the caller's process is one that it started for this app.
    package func isRight(
        _ descriptor: OwnedDescriptor?, for app: String, from sender: BusName, isStarted: () async -> Bool
    ) async throws -> Bool {
        guard let descriptor else { return false }
        let digest = try digest(of: descriptor)
        try claim(digest, for: app, from: sender)
        guard await isStarted() else {
            release(digest, of: app, from: sender)
            throw BatonError(.notAuthorized, "Only the process that the agent started may show this token.")
        }
        return true
    }

    /// Before anything is waited for, so that of two that show it at once only one has it.
    private func claim(_ digest: SHA256.Digest, for app: String, from sender: BusName) throws {
        guard let index = tokens[app]?.firstIndex(where: { $0.digest == digest }) else {
            throw BatonError(.notAuthorized, "This token does not belong to this app.")
        }
        guard [nil, sender].contains(tokens[app]?[index].holder) else {
            throw BatonError(.notAuthorized, "Another connection has used this token; a token is valid once.")
        }
        tokens[app]?[index].holder = sender
    }

    private func release(_ digest: SHA256.Digest, of app: String, from sender: BusName) {
        guard let index = tokens[app]?.firstIndex(where: { $0.digest == digest && $0.holder == sender }) else { return }
        tokens[app]?[index].holder = nil
    }

    /// Tokens belong to the agent that handed them out.
    func forget() { tokens = [:] }

    /// At once: of a memory file that no process can change there is nothing to wait for.
    private func digest(of descriptor: OwnedDescriptor) throws -> SHA256.Digest {
        guard let secret = try? SealedMemory.read(descriptor.rawValue, limit: Self.longest) else {
            throw BatonError(
                .invalidArgument,
                "The token must be a memfd of at most \(Self.longest) bytes, sealed against write, grow and shrink.")
        }
        guard secret.count >= 16 else { throw BatonError(.invalidArgument, "The token is shorter than 16 bytes.") }
        return secret.withUnsafeBytes { SHA256.hash(data: $0) }
    }
}
