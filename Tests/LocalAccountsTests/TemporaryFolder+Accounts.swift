import FolderTesting
import SystemPackage
import Testing

extension TemporaryFolder {
    func filePath(_ name: String) -> FilePath { FilePath(path(of: name)) }

    /// Writes a file for its owner alone unless the test says otherwise.
    func file(_ text: String, as name: String, mode: UInt32 = 0o600) throws { try write(text, to: name, mode: mode) }

    func read(_ name: String = "accounts.yaml") throws -> String { try #require(text(of: name)) }
}
