/// What an administrator has in the place of a journal that could not be read.
package enum JournalReset: Sendable {
    /// The same, which can be read now.
    case mended
    /// A new one, which ends first what is not known to have ended.
    case new
}
