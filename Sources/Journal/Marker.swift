import Glibc

/// The file `journal-failed` in the runtime directory: something about a sign-out could not be journalled.
///
/// A restart that finds it quarantines the device, or signs out. It lies in memory, as does the session that it is about, so it
/// is gone after a reboot, which ends every session by itself.
public struct Marker: Sendable {
    public enum Meaning: Sendable {
        /// A sign-out runs, and it is not known how it went on.
        case failed
        /// A sign-out was asked for while batond could not read whether a worker is signed in.
        case asked
    }

    private static let word = Array("asked".utf8)

    public let path: String

    public init(_ path: String) { self.path = path }

    /// - Parameter directory: the runtime directory, which exists.
    public init(in directory: String) { self.init(directory + "/journal-failed") }

    /// Nil when there is none. One that does not say it was asked for, or not completely, says that it failed.
    public var meaning: Meaning? {
        guard StateFolder.exists(path) else { return nil }
        let text = (try? StateFolder.read(path, limit: 64)) ?? nil
        return text == Self.word ? .asked : .failed
    }

    public func set(_ meaning: Meaning = .failed) throws(JournalFault) {
        // A failure is not overwritten by a wish.
        let flags = meaning == .failed ? O_TRUNC : O_EXCL
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        guard descriptor >= 0 else {
            if meaning == .asked, errno == EEXIST { return }
            throw JournalFault(.notWritten, path, "it cannot be made: \(StateFolder.reason())")
        }
        if meaning == .asked { _ = Glibc.write(descriptor, Self.word, Self.word.count) }
        Glibc.close(descriptor)
    }

    public func clear() throws(JournalFault) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw JournalFault(.notWritten, path, "it cannot be removed: \(StateFolder.reason())")
    }
}
