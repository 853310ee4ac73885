/// What goes wrong between a client and batond, apart from a `BatonError`, which is batond's own refusal.
public enum DeviceError: Error, Hashable, Sendable {
    /// Nothing answers for Baton: there is no bus, or no batond on it. The text says which.
    case noDaemon(String)
    /// The bus itself does not let this user talk to batond.
    case notAllowed(String)
    /// No answer came in time; the call may still have had its effect.
    case timedOut
    /// batond answered something that this library does not understand.
    case unexpected(String)
}

extension DeviceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noDaemon(let reason): "Baton cannot be reached: \(reason)."
        case .notAllowed(let reason): "The bus does not allow this: \(reason)."
        case .timedOut: "Baton did not answer in time."
        case .unexpected(let reason): "Baton gave an unexpected answer: \(reason)."
        }
    }
}
