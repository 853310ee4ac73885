/// What metrics show of batond itself.
package struct ProcessFigures: Hashable, Sendable {
    package var version: String
    /// Unix time in microseconds.
    package var started: Int64
    /// Of the journal's files, in bytes; nil: they cannot be looked at.
    package var journalSize: UInt64?

    package init(version: String, started: Int64, journalSize: UInt64?) {
        self.version = version
        self.started = started
        self.journalSize = journalSize
    }
}
