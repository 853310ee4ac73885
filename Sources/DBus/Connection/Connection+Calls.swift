import CDBus
import Synchronization

/// How a call is made.
public struct CallOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Do not start the service if no connection owns the name: `ServiceUnknown` instead.
    public static let noAutoStart = CallOptions(rawValue: 1)
    /// A person may be asked for permission, as by polkit for a password, for as long as the timeout allows: the message has
    /// `ALLOW_INTERACTIVE_AUTHORIZATION`.
    public static let allowInteraction = CallOptions(rawValue: 2)
}

extension Connection {
    /// Calls a method and waits for its reply.
    ///
    /// The message is sent before anything is awaited: calls and signals of one thread keep their order.
    /// - Parameter timeout: nil waits as long as it takes.
    /// - Throws: `DBusError`, or `CancellationError` when the task is cancelled; the call may then still have its
    ///   effect on the other side.
    public nonisolated func call<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, to destination: BusName, at path: ObjectPath,
        timeout: Duration? = .seconds(25), options: CallOptions = []
    ) async throws -> Output {
        let message = try encode(method, input, to: destination, at: path, options: options)
        return try await exchange(message, timeout: timeout) { reply throws(DBusError) in
            try Self.values(of: reply, as: method.output)
        }
    }

    public nonisolated func call<Output>(
        _ method: Method<Void, Output>, to destination: BusName, at path: ObjectPath,
        timeout: Duration? = .seconds(25), options: CallOptions = []
    ) async throws -> Output {
        try await call(method, (), to: destination, at: path, timeout: timeout, options: options)
    }

    /// Calls a method without asking for a reply.
    ///
    /// - Throws: when the arguments cannot be sent. A connection that is closed swallows the message.
    public nonisolated func post<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, to destination: BusName, at path: ObjectPath,
        options: CallOptions = []
    ) throws(DBusError) {
        let message = try encode(method, input, to: destination, at: path, options: options)
        dbus_message_set_no_reply(message.raw, 1)
        deliver(message)
    }

    nonisolated func encode<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, to destination: BusName, at path: ObjectPath,
        options: CallOptions = []
    ) throws(DBusError) -> Message {
        let message = try Message(.call)
        try message.address(to: destination, path: path, interface: method.interface, member: method.name)
        if options.contains(.noAutoStart) { dbus_message_set_auto_start(message.raw, 0) }
        if options.contains(.allowInteraction) { dbus_message_set_allow_interactive_authorization(message.raw, 1) }
        try message.append(within: self.options.messageLimits) { writer throws(DBusError) in
            try method.input.write(input, &writer)
        }
        return message
    }

    static func values<Values>(of reply: Message, as arguments: Arguments<Values>) throws(DBusError) -> Values {
        let received = reply.signature
        guard received == arguments.signature else {
            throw .invalidReply(expected: arguments.signature, received: received)
        }
        var reader = ValueReader(reply)
        return try arguments.read(&reader)
    }

    /// Sends a finished message from any thread.
    nonisolated func deliver(_ message: Message) {
        // Safe: the maker of the message gives it away here and never touches it again.
        nonisolated(unsafe) let message = message
        perform { connection in _ = try? connection.send(message) }
    }

    nonisolated func exchange<Output: Sendable>(
        _ message: Message, timeout: Duration?,
        decode: @escaping @Sendable (Message) throws(DBusError) -> Output
    ) async throws -> Output {
        // Safe: the maker of the message gives it away here and never touches it again.
        nonisolated(unsafe) let message = message
        try Task.checkCancellation()
        let ticket = CallTicket<Output>()
        return try await ticket.value { [self] in
            perform { connection in
                guard !ticket.isFinished else { return }
                let serial = connection.start(message, timeout: timeout) { result in
                    ticket.finish(
                        Result {
                            try decode(result.get())
                        })
                }
                ticket.serial.store(serial, ordering: .relaxed)
            }
        } onCancel: { [self] in
            // Later and not at once: a cancellation holds locks of the runtime.
            thread.performLater {
                self.assumeIsolated { connection in
                    _ = connection.calls.remove(ticket.serial.load(ordering: .relaxed))
                }
            }
        }
    }

    /// Sends a call; the serial, or 0 when it has already failed.
    func start(
        _ message: Message, timeout: Duration?, _ completion: @escaping PendingCalls.Completion
    ) -> UInt32 {
        do throws(DBusError) {
            let serial = try send(message)
            calls.add(serial, deadline: timeout.map { .now.advanced(by: $0) }, completion)
            return serial
        } catch {
            completion(.failure(error))
            return 0
        }
    }

    func receiveReply(_ message: Message, _ kind: Message.Kind) {
        guard let completion = calls.remove(message.replySerial) else { return }
        guard kind == .error else { return completion(.success(message)) }
        let name = message.errorName ?? .failed
        completion(.failure(.reply(name: name, message: message.firstString ?? "")))
    }
}
