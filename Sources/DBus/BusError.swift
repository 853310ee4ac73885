/// An error that a handler throws to its caller: it travels with this name and text, and nothing else. Bindings for GLib
/// show the text of an error only if it is the one argument.
///
/// Any other error that leaves a handler reaches the caller only as the connection's one generic failure.
public protocol BusError: Error, Sendable {
    var name: ErrorName { get }
    /// For the person who reads it: what happened and what to do about it.
    var message: String { get }
}
