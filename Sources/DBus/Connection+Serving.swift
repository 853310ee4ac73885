import CDBus

extension Connection {
    /// Serves an object from now on. Do it before owning the name, so that no caller finds the name without it.
    public func serve(_ object: ServedObject, at path: ObjectPath) async throws {
        objects[path] = object
        try await watchNames()
    }

    public func stopServing(at path: ObjectPath) {
        objects[path] = nil
    }

    /// Calls `observer` on the bus thread for each call that comes in, and again when it is refused or abandoned.
    public func observeCalls(_ observer: @escaping @Sendable (BusName, CallNews) -> Void) {
        callObserver = observer
    }

    func receiveCall(_ message: Message) {
        guard let sender = message.sender, let path = message.path, let member = message.member else { return }
        callObserver?(sender, .came)
        let pending = PendingAnswer(id: nextToken(), sender: sender, member: member, message: message)
        guard served[sender, default: [:]].count < options.maximumCallsPerSender else {
            if pending.claim() {
                refuse(pending, with: Refusal(.limitsExceeded, "Too many of your calls are unanswered."))
            }
            return
        }
        let caller = Caller(connection: self, name: sender, path: path)
        do {
            let method = try find(member, message.interface, at: path)
            guard method.signature == message.signature else {
                throw Refusal(
                    .invalidArguments,
                    "\(member) takes '\(method.signature)', the call has '\(message.signature)'.")
            }
            served[sender, default: [:]][pending.id] = pending
            var reader = ValueReader(message)
            do throws(DBusError) {
                try method.start(&reader, caller, pending)
            } catch {
                throw Refusal(.invalidArguments, "An argument of \(member) is not valid: \(error).")
            }
        } catch {
            if pending.claim() { refuse(pending, with: error) }
        }
    }

    private func find(
        _ member: String, _ interface: String?, at path: ObjectPath
    ) throws(Refusal) -> ServedObject.ServedMethod {
        let object = objects[path]
        if let interface, let name = InterfaceName(interface), let method = object?.methods[name]?[member] {
            return method
        }
        let children = objects.keys.contains { path.child(towards: $0) != nil }
        let standard = StandardObject.methods(of: object, at: path, isNode: object != nil || children)
        guard let interface else {
            if let method = standard.firstMethod(member) ?? object?.firstMethod(member) { return method }
            throw Refusal(.unknownMethod, "There is no method \(member).")
        }
        if let name = InterfaceName(interface) {
            if let method = standard.methods[name]?[member] { return method }
            if standard.hasInterface(name) || object?.hasInterface(name) ?? false {
                throw Refusal(.unknownMethod, "There is no method \(member) on interface \(interface).")
            }
        }
        guard object != nil || children else { throw Refusal(.unknownObject, "There is no object \(path).") }
        throw Refusal(.unknownInterface, "\(path) has no interface \(interface).")
    }

    /// Sends the answer to a claimed call, from any thread.
    nonisolated func answer(
        _ pending: PendingAnswer, _ body: (inout ValueWriter) throws(DBusError) -> Void
    ) {
        do throws(DBusError) {
            let message = try pending.message(.reply)
            try message.append(within: options.messageLimits, body)
            finish(pending, message)
        } catch {
            options.onUnexpectedError(error, pending.member)
            refuse(pending, with: Refusal(options.failureName, options.failureMessage))
        }
    }

    /// Sends an error to a claimed call, from any thread. Only a `BusError` shows its name and text.
    nonisolated func refuse(_ pending: PendingAnswer, with error: any Error) {
        var told = Refusal(options.failureName, options.failureMessage)
        if let error = error as? any BusError {
            told = Refusal(error.name, error.message)
        } else {
            options.onUnexpectedError(error, pending.member)
        }
        // A text that cannot be sent must not cost the caller its answer.
        let message = encode(told, pending) ?? encode(Refusal(told.name, ""), pending)
        finish(pending, message, .refused)
    }

    private nonisolated func encode(_ refusal: Refusal, _ pending: PendingAnswer) -> Message? {
        guard let message = try? pending.message(.error, errorName: refusal.name) else { return nil }
        do throws(DBusError) {
            try message.append(within: options.messageLimits) { writer throws(DBusError) in
                try refusal.message.write(to: &writer)
            }
        } catch {
            return nil
        }
        return message
    }

    private nonisolated func finish(_ pending: PendingAnswer, _ message: Message?, _ news: CallNews? = nil) {
        // Safe: the maker of the message gives it away here and never touches it again.
        nonisolated(unsafe) let message = message
        perform { connection in
            if let news { connection.callObserver?(pending.sender, news) }
            connection.served[pending.sender]?[pending.id] = nil
            if connection.served[pending.sender]?.isEmpty ?? false { connection.served[pending.sender] = nil }
            if let message, pending.expectsReply { _ = try? connection.send(message) }
        }
    }
}

/// What the binding itself answers.
struct Refusal: BusError {
    let name: ErrorName
    let message: String

    init(_ name: ErrorName, _ message: String) {
        self.name = name
        self.message = message
    }
}
