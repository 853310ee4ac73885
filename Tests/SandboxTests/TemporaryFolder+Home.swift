import FolderTesting
import Glibc

extension TemporaryFolder {
    /// In the user's home, which a sandbox does not show.
    static func inHome() throws -> TemporaryFolder {
        try TemporaryFolder("sandbox", in: getenv("HOME").map { String(cString: $0) } ?? "/tmp")
    }
}
