/// An error that a handler throws to its caller: it travels with this name, text and details.
///
/// Any other error that leaves a handler reaches the caller only as the connection's one generic failure.
public protocol BusError: Error, Sendable {
    var name: ErrorName { get }
    /// For the person who reads it: what happened and what to do about it.
    var message: String { get }
    /// For programs: what the name alone does not say. Sent as the error's second argument, an `a{sv}`; empty: not sent.
    var details: VariantDictionary { get }
}

extension BusError {
    public var details: VariantDictionary { [:] }
}
