internal import Glibc

/// The file `journal-failed` in the runtime directory: a sign-out runs that could not be journalled.
///
/// A restart that finds it quarantines the device. It lies in memory, as does the session that it is about, so it is
/// gone after a reboot, which ends every session by itself.
public struct Marker: Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// - Parameter directory: the runtime directory, which exists.
    public init(in directory: String) { self.init(directory + "/journal-failed") }

    public var isSet: Bool { StateFolder.exists(path) }

    public func set() throws(JournalFault) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw JournalFault(.notWritten, path, "it cannot be made: \(StateFolder.reason())")
        }
        Glibc.close(descriptor)
    }

    public func clear() throws(JournalFault) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw JournalFault(.notWritten, path, "it cannot be removed: \(StateFolder.reason())")
    }
}
