import FolderTesting
import SystemPackage

extension TemporaryFolder {
    func filePath(_ name: String) -> FilePath { FilePath(path(of: name)) }

    /// Writes settings or what lies beside them, for their owner alone unless the test says otherwise.
    @discardableResult
    func file(_ text: String, as name: String = "baton.yaml", mode: UInt32 = 0o600) throws -> FilePath {
        FilePath(try write(text, to: name, mode: mode))
    }

    func file(_ bytes: [UInt8], as name: String) throws -> FilePath {
        FilePath(try write(bytes, to: name, mode: 0o600))
    }
}
