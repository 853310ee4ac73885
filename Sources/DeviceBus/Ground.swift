/// On what ground a caller may act as an administrator; the log has its word.
package enum Ground: String, Sendable {
    case root
    /// The setting `administrators` names them.
    case settings
    /// It is their session, and batond their process.
    case session
    /// batond's own user, from its unit.
    case batond
    case polkit
}

/// Whether a caller may act as an administrator, and why or why not.
typealias Standing = Result<Ground, Denial>
