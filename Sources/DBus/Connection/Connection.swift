import CDBus
import Waiting

/// A connection to a bus: calls, signals, names and served objects.
///
/// It is an actor on its own `BusThread`. Whatever sends (`call`, `emit`, an answer) may be used from any thread;
/// messages leave in the order in which these were called on one thread. Handlers and streams are started in the
/// order in which messages came in.
public actor Connection {
    public nonisolated let thread: BusThread
    /// The name that the bus gave to this connection.
    public nonisolated let uniqueName: BusName
    public nonisolated let options: ConnectionOptions

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// What the tasks of handlers prefer; nil: the pool of threads.
    nonisolated var tasks: (any TaskExecutor)? { options.keepsTasks ? thread.tasks : nil }

    /// Nil once closed. Never leaves the bus thread.
    private var raw: OpaquePointer?
    /// Why it is closed; nil after `close()`.
    private var loss: DBusError?
    /// Woken with the reason for the end; nil: `close()`.
    private let closeWaiters = WaiterList<DBusError?>()
    private var lastToken: UInt64 = 0

    var calls = PendingCalls()
    var backlog: [Message] = []
    var subscriptions: [UInt64: Subscription] = [:]
    var owners: [BusName: TrackedOwner] = [:]
    var ownedNames: Set<BusName> = []
    var knownCredentials: [BusName: Credentials] = [:]
    var nameObservers: [UInt64: @Sendable (NameOwnerChange) -> Void] = [:]
    var callObserver: (@Sendable (BusName, CallNews) -> Void)?
    var nameWatch = NameWatch.none
    var objects: [ObjectPath: ServedObject] = [:]
    var served: [BusName: [UInt64: PendingAnswer]] = [:]
    var shares = CallShares()
    /// Callers whose user the bus is being asked for, with the calls that wait for that.
    var asksUser: [BusName: [Message]] = [:]
    var unread = UnreadAnswers()
    /// The bus does not say what its connections have read.
    var isBlindToReading = false
    /// By the path of the object.
    var introspections: [ObjectPath: String] = [:]

    init(raw: sending OpaquePointer, uniqueName: BusName, thread: BusThread, options: ConnectionOptions) {
        self.raw = raw
        self.uniqueName = uniqueName
        self.thread = thread
        self.options = options
    }

    isolated deinit {
        // A stream does not end by itself when its source is gone.
        end(with: nil)
        // What is served may hold another connection, whose own end asks which thread this is: so it goes while there
        // is one.
        objects = [:]
    }

    /// Connects, authenticates and waits for the bus's greeting, all of it on the bus thread.
    ///
    /// - Parameter thread: shared with another connection; nil makes a new one.
    public static func open(
        _ address: BusAddress, options: ConnectionOptions? = nil, on thread: BusThread? = nil
    ) async throws(DBusError) -> Connection {
        let own: BusThread
        if let thread { own = thread } else { own = try BusThread() }
        let opener = ConnectionOpener(thread: own)
        return try await opener.open(address, options ?? .standard(for: address))
    }

    /// Fails what is pending, ends all streams and says goodbye to the bus.
    public func close() {
        end(with: nil)
    }

    /// Returns after `close()`, or when the task is cancelled; throws when the bus is lost, or a name on it.
    public func waitUntilClosed() async throws {
        let reason = await closeWaiters.waitUnlessCancelled(unless: { raw == nil || loss != nil ? .some(loss) : nil })
        if let reason, let error = reason { throw error }
    }

    /// The identity of the bus itself, another one after each start of it.
    public func busID() async throws -> String {
        try await call(BusDaemon.getID, to: .bus, at: .bus)
    }

    /// Whether messages can still be sent.
    public var isOpen: Bool { raw != nil }

    func nextToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }

    nonisolated func perform(_ action: @escaping @Sendable (isolated Connection) -> Void) {
        thread.perform { self.assumeIsolated { action($0) } }
    }

    /// Hands a message to the bus; its serial. The caller must not use the message afterwards.
    @discardableResult
    func send(_ message: Message) throws(DBusError) -> UInt32 {
        guard let raw, dbus_connection_get_is_connected(raw) != 0 else { throw .disconnected }
        if dbus_message_contains_unix_fds(message.raw) != 0,
            dbus_connection_can_send_type(raw, TypeCode.descriptor) == 0
        {
            throw .invalidValue("this bus takes no file descriptors")
        }
        var serial: UInt32 = 0
        guard dbus_connection_send(raw, message.raw, &serial) != 0 else { throw .invalidValue("out of memory") }
        return serial
    }

    /// Tells those who wait for the end that a name was lost; the connection stays open.
    func report(_ error: DBusError) {
        loss = loss ?? error
        closeWaiters.wakeAll(error)
    }

    private func end(with error: DBusError?) {
        guard let raw else { return }
        self.raw = nil
        loss = loss ?? error
        Self.release(raw)
        backlog = []
        calls.failAll(.disconnected)
        for answers in served.values { for answer in answers.values { answer.abandon() } }
        served = [:]
        shares = CallShares()
        asksUser = [:]
        unread = UnreadAnswers()
        let ended = subscriptions.values
        subscriptions = [:]
        for subscription in ended { subscription.end(error) }
        nameObservers = [:]
        callObserver = nil
        knownCredentials = [:]
        closeWaiters.wakeAll(loss)
    }

    /// Closes before the last reference goes, as libdbus demands of private connections.
    private static func release(_ raw: OpaquePointer) {
        // A full socket gets a second to empty itself, so that the last words are not lost.
        var attempts = 10
        while attempts > 0, dbus_connection_get_is_connected(raw) != 0, dbus_connection_has_messages_to_send(raw) != 0 {
            dbus_connection_read_write(raw, 100)
            attempts -= 1
        }
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    private static func isReadable(_ raw: OpaquePointer) -> Bool {
        var entry = pollfd(fd: -1, events: Int16(POLLIN), revents: 0)
        guard dbus_connection_get_unix_fd(raw, &entry.fd) != 0 else { return false }
        return poll(&entry, 1, 0) > 0 && Int32(entry.revents) & POLLIN != 0
    }

    /// One round on the bus thread: reads, dispatches, expires. Nil when the connection has ended.
    func turn(ready: Bool) -> BusLoop.Interest? {
        guard let raw else { return nil }
        // libdbus takes 2 KiB at a time. Fairness needs to see who else has something to say, so a turn takes more.
        var rounds = ready ? 64 : 0
        repeat {
            if rounds > 0 { dbus_connection_read_write(raw, 0) }
            // Sending also reads, so the queue is emptied before each sleep even if the socket is quiet.
            while let message = dbus_connection_pop_message(raw) { backlog.append(Message(owning: message)) }
            rounds -= 1
        } while rounds > 0 && Self.isReadable(raw)
        dispatchBacklog()
        calls.expire(at: .now)
        guard self.raw != nil else { return nil }
        guard dbus_connection_get_is_connected(raw) != 0 || !backlog.isEmpty else {
            end(with: .disconnected)
            return nil
        }
        var descriptor: Int32 = -1
        guard dbus_connection_get_unix_fd(raw, &descriptor) != 0 || !backlog.isEmpty else {
            end(with: .disconnected)
            return nil
        }
        return BusLoop.Interest(
            descriptor: descriptor, wantsToWrite: dbus_connection_has_messages_to_send(raw) != 0,
            isBusy: !backlog.isEmpty || dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS,
            deadline: calls.nextDeadline)
    }
}
