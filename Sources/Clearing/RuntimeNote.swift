import Glibc
import LinuxSystem

/// A few lines in a file of the runtime folder, for the agent after this one. It holds all of them or what was there before.
struct RuntimeNote: Sendable {
    let path: String

    func write(_ text: String) {
        let temporary = path + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        let isWhole =
            Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == text.utf8.count
        close(file)
        if isWhole { rename(temporary, path) } else { unlink(temporary) }
    }

    /// Nil when there is none.
    func read() -> String? { readSmallFile(path).map { String(decoding: $0, as: UTF8.self) } }

    func remove() { unlink(path) }
}
