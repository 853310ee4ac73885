/// When the turn began: an agent that was killed finds it again, with the clock of the boot, which no correction of the wall
/// clock shifts.
struct TurnNote: Sendable {
    private let note: RuntimeNote

    init(path: String) { note = RuntimeNote(path: path) }

    func write(_ turn: Turn) { note.write("\(turn.epoch) \(turn.start.wall) \(turn.start.ticks)\n") }

    /// Nil for another epoch, or when nobody noted it.
    func read(epoch: UInt64) -> TurnStart? {
        guard let words = note.read()?.split(whereSeparator: { $0 == " " || $0 == "\n" }), words.count == 3,
            UInt64(words[0]) == epoch, let wall = Int64(words[1]), let ticks = UInt64(words[2])
        else { return nil }
        return TurnStart(wall: wall, ticks: ticks)
    }
}
