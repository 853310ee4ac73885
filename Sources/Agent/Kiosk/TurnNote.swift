import Glibc
import Processes

/// When the turn began, in a file of the runtime folder: an agent that was killed finds it again, with the clock of the boot,
/// which no correction of the wall clock shifts.
struct TurnNote: Sendable {
    let path: String

    func write(_ turn: Turn) {
        let text = "\(turn.epoch) \(turn.start.wall) \(turn.start.ticks)\n"
        let temporary = path + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        let isWhole =
            Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == text.utf8.count
        close(file)
        if isWhole { rename(temporary, path) } else { unlink(temporary) }
    }

    /// Nil for another epoch, or when nobody noted it.
    func read(epoch: UInt64) -> TurnStart? {
        guard let bytes = readSmallFile(path) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count == 3, UInt64(words[0]) == epoch, let wall = Int64(words[1]), let ticks = UInt64(words[2])
        else {
            return nil
        }
        return TurnStart(wall: wall, ticks: ticks)
    }
}
