public import Secrets
public import SystemPackage

/// A file with what proves to the provider who the client is; it is read only when that is needed.
public struct CredentialFile: Sendable, Hashable {
    /// Who keeps others from the file.
    public enum Keeper: Sendable, Hashable {
        /// Its own owner and mode, which are judged at each reading.
        case owner
        case systemd
    }

    public let path: FilePath
    public let keeper: Keeper

    public init(path: FilePath, keeper: Keeper) {
        self.path = path
        self.keeper = keeper
    }

    /// The bytes, without line ends after them; at most 1 MiB.
    ///
    /// - Throws: Why it cannot be used, and what to do, without anything of the content.
    public func read() throws(SettingsFault) -> Secret {
        do throws(ReferencedFile.Fault) {
            return try ReferencedFile(path, followsLinks: false).secret(
                owners: keeper == .owner ? ReferencedFiles.owners(scope: .session) : nil)
        } catch {
            throw SettingsFault(
                origin: path.string, message: error.text(path), unreadableFile: error.isForbidden ? path.string : nil)
        }
    }
}
