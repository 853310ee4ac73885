import CDBus

/// What can go wrong between this process and the bus.
public enum DBusError: Error, Hashable, Sendable {
    /// The other side, or the bus, answered with an error.
    case reply(name: ErrorName, message: String)
    /// No reply came in time. The call may still have had its effect.
    case timedOut
    /// The connection is closed, by us or by the bus. The call may still have had its effect.
    case disconnected
    /// The reply's values have other types than the method's declaration.
    case invalidReply(expected: String, received: String)
    /// A value cannot be put into a message, or a received one does not fit its type; the text says why.
    case invalidValue(String)
    /// A message would be larger than the bus allows and was not sent.
    case tooLarge
    /// Another connection owns the name.
    case nameTaken(BusName)
    /// The bus took an owned name away.
    case nameLost(BusName)
    /// The bus could not be reached; the text says why.
    case connectionFailed(String)
    /// The consumer of a stream was so slow that its buffer ran full.
    case overflow

    /// The error name of a reply; nil for errors that did not come as a reply.
    public var name: ErrorName? {
        guard case .reply(let name, _) = self else { return nil }
        return name
    }
}

extension DBusError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .reply(let name, let message): message.isEmpty ? name.rawValue : "\(name): \(message)"
        case .timedOut: "no reply in time"
        case .disconnected: "not connected to the bus"
        case .invalidReply(let expected, let received): "reply of type '\(received)' instead of '\(expected)'"
        case .invalidValue(let reason): reason
        case .tooLarge: "the message is larger than the bus allows"
        case .nameTaken(let name): "\(name) is owned by another connection"
        case .nameLost(let name): "\(name) was lost to another connection"
        case .connectionFailed(let reason): "cannot connect to the bus: \(reason)"
        case .overflow: "signals arrived faster than they were read"
        }
    }
}

/// Error names that the D-Bus specification gives.
extension ErrorName {
    public static let failed: ErrorName = "org.freedesktop.DBus.Error.Failed"
    public static let invalidArguments: ErrorName = "org.freedesktop.DBus.Error.InvalidArgs"
    public static let unknownObject: ErrorName = "org.freedesktop.DBus.Error.UnknownObject"
    public static let unknownInterface: ErrorName = "org.freedesktop.DBus.Error.UnknownInterface"
    public static let unknownMethod: ErrorName = "org.freedesktop.DBus.Error.UnknownMethod"
    public static let unknownProperty: ErrorName = "org.freedesktop.DBus.Error.UnknownProperty"
    public static let propertyReadOnly: ErrorName = "org.freedesktop.DBus.Error.PropertyReadOnly"
    public static let limitsExceeded: ErrorName = "org.freedesktop.DBus.Error.LimitsExceeded"
    public static let serviceUnknown: ErrorName = "org.freedesktop.DBus.Error.ServiceUnknown"
    public static let nameHasNoOwner: ErrorName = "org.freedesktop.DBus.Error.NameHasNoOwner"
    public static let noReply: ErrorName = "org.freedesktop.DBus.Error.NoReply"
    public static let accessDenied: ErrorName = "org.freedesktop.DBus.Error.AccessDenied"
}
