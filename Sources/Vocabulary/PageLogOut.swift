/// How the provider's log-out page in the worker's browser ended.
public enum PageLogOut: String, Hashable, Sendable, Codable, CaseIterable {
    /// It sent the browser to our address: the worker is signed out there.
    case confirmed
    /// It answered, but did not come back; it may ask a question that no worker sees.
    case answered
    /// It did not answer in time, or cannot be reached.
    case silent
}
