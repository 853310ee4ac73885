import FolderTesting

extension TemporaryFolder {
    /// Makes a file that holds `text`, with the folders above it, and gives its path.
    @discardableResult
    func file(_ name: String) throws -> String { try write("text", to: name) }
}
