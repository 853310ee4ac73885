import CDBus

/// One libdbus message. Made and filled by one thread, handed to the bus thread and not touched by the first again.
final class Message {
    enum Kind: Int32 {
        case call = 1
        case reply = 2
        case error = 3
        case signal = 4
    }

    let raw: OpaquePointer

    /// Takes over the caller's reference.
    init(owning raw: OpaquePointer) { self.raw = raw }

    init(_ kind: Kind) throws(DBusError) {
        guard let raw = dbus_message_new(kind.rawValue) else { throw .invalidValue("out of memory") }
        self.raw = raw
    }

    deinit { dbus_message_unref(raw) }

    var kind: Kind? { Kind(rawValue: dbus_message_get_type(raw)) }
    var sender: BusName? { text(dbus_message_get_sender(raw)).flatMap { BusName($0) } }
    var path: ObjectPath? { text(dbus_message_get_path(raw)).flatMap { ObjectPath($0) } }
    var interface: String? { text(dbus_message_get_interface(raw)) }
    var member: String? { text(dbus_message_get_member(raw)) }
    var signature: String { text(dbus_message_get_signature(raw)) ?? "" }
    var errorName: ErrorName? { text(dbus_message_get_error_name(raw)).flatMap { ErrorName($0) } }
    var serial: UInt32 { dbus_message_get_serial(raw) }
    var replySerial: UInt32 { dbus_message_get_reply_serial(raw) }
    var expectsNoReply: Bool { dbus_message_get_no_reply(raw) != 0 }
    var allowsInteraction: Bool { dbus_message_get_allow_interactive_authorization(raw) != 0 }

    /// The first argument if it is a string: the text of an error, the name in a bus signal.
    var firstString: String? {
        guard signature.hasPrefix("s") else { return nil }
        var reader = ValueReader(self)
        return try? String(from: &reader)
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }

    // The setters fail only without memory: names are validated types.

    func address(
        to destination: BusName?, path: ObjectPath? = nil, interface: InterfaceName? = nil, member: MemberName? = nil
    ) throws(DBusError) {
        var done = true
        if let destination { done = dbus_message_set_destination(raw, destination.rawValue) != 0 && done }
        if let path { done = dbus_message_set_path(raw, path.rawValue) != 0 && done }
        if let interface { done = dbus_message_set_interface(raw, interface.rawValue) != 0 && done }
        if let member { done = dbus_message_set_member(raw, member.rawValue) != 0 && done }
        if !done { throw .invalidValue("out of memory") }
    }

    func answers(_ serial: UInt32, errorName: ErrorName? = nil) throws(DBusError) {
        var done = dbus_message_set_reply_serial(raw, serial) != 0
        if let errorName { done = dbus_message_set_error_name(raw, errorName.rawValue) != 0 && done }
        if !done { throw .invalidValue("out of memory") }
        dbus_message_set_no_reply(raw, 1)
    }

    /// Appends arguments within the bus's limits; how many bytes they are.
    @discardableResult
    func append(
        within limits: MessageLimits, _ body: (inout ValueWriter) throws(DBusError) -> Void
    ) throws(DBusError) -> Int {
        var writer = ValueWriter(self, limits: limits)
        try body(&writer)
        return writer.size
    }
}

/// What the bus accepts in one message; more than that and it would cut the connection.
struct MessageLimits: Sendable {
    var bytes: Int
    var descriptors: Int
}
