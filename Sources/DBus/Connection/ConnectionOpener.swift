import CDBus

/// Makes a connection on the bus thread, because connecting, authenticating and greeting block.
actor ConnectionOpener {
    private let thread: BusThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(thread: BusThread) {
        self.thread = thread
    }

    func open(_ address: BusAddress, _ options: ConnectionOptions) throws(DBusError) -> Connection {
        guard let address = address.resolved else { throw .connectionFailed("the environment names no bus") }
        guard !address.utf8.contains(0) else { throw .connectionFailed("the address contains a NUL character") }
        // libdbus would otherwise ignore SIGPIPE for the whole process, and its children would inherit that.
        dbus_connection_set_change_sigpipe(0)
        var error = CDBus.DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard let raw = dbus_connection_open_private(address, &error) else {
            throw .connectionFailed(Self.text(of: error))
        }
        dbus_connection_set_exit_on_disconnect(raw, 0)
        dbus_connection_set_max_message_size(raw, options.maximumMessageSize)
        dbus_connection_set_max_message_unix_fds(raw, options.maximumDescriptors)
        // Nothing more is read while that many wait to be handled: a process without a free descriptor loses the bus.
        dbus_connection_set_max_received_unix_fds(raw, options.maximumDescriptors * 16)
        guard let uniqueName = Self.greet(raw, &error) else {
            dbus_connection_close(raw)
            dbus_connection_unref(raw)
            throw .connectionFailed(Self.text(of: error))
        }
        // Safe: this function is the only one that knows the pointer, and gives it away on the thread that keeps it.
        nonisolated(unsafe) let given = raw
        let connection = Connection(raw: given, uniqueName: uniqueName, thread: thread, options: options)
        thread.attach(connection)
        return connection
    }

    /// Authenticates and says hello; the name that the bus gave, or nil with the error.
    ///
    /// libdbus's own way keeps a lock of the whole process while it waits for the bus. A bus talks to no more than 64
    /// connections at a time that have not said hello, so with more of them waiting for that lock the one that had it
    /// might never get its turn.
    private static func greet(_ raw: OpaquePointer, _ error: inout CDBus.DBusError) -> BusName? {
        guard let hello = try? Message(.call) else { return nil }
        let call = BusDaemon.hello
        guard (try? hello.address(to: .bus, path: .bus, interface: call.interface, member: call.name)) != nil,
            let answer = dbus_connection_send_with_reply_and_block(raw, hello.raw, -1, &error)
        else { return nil }
        return Message(owning: answer).firstString.flatMap { BusName($0) }
    }

    private static func text(of error: CDBus.DBusError) -> String {
        error.message.map { String(cString: $0) } ?? "unknown reason"
    }
}
