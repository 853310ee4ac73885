import CDBus

extension Connection {
    /// Serves an object from now on. Do it before owning the name, so that no caller finds the name without it.
    public func serve(_ object: ServedObject, at path: ObjectPath) async throws {
        objects[path] = object
        introspections = [:]
        try await watchNames()
    }

    public func stopServing(at path: ObjectPath) {
        objects[path] = nil
        introspections = [:]
    }

    /// Calls `observer` on the bus thread for each call that comes in, and again when it is refused or abandoned.
    public func observeCalls(_ observer: @escaping @Sendable (BusName, CallNews) -> Void) {
        callObserver = observer
    }

    func receiveCall(_ message: Message) {
        guard let sender = message.sender, let path = message.path, let member = message.member else { return }
        if waitsForUser(message, of: sender) { return }
        callObserver?(sender, .came)
        let isReading = isReading(sender)
        let found = Result { () throws(CallRefusal) in try find(member, message.interface, at: path) }
        let keepsRoom = (try? found.get())?.keepsRoom ?? false
        let pending = PendingAnswer(
            id: nextToken(), sender: sender, member: member, message: message, hasOwnRoom: keepsRoom)
        guard isReading || keepsRoom else { return putOff(pending) }
        do {
            let method = try found.get()
            let room = try room(for: pending)
            guard method.signature == message.signature else {
                throw CallRefusal(
                    .invalidArguments,
                    "\(member) takes '\(method.signature)', the call has '\(message.signature)'.")
            }
            served[sender, default: [:]][pending.id] = pending
            shares.add(pending.share, to: sender, knownCredentials[sender]?.uid)
            var reader = ValueReader(message, descriptors: room.descriptors)
            do throws(DBusError) {
                let caller = Caller(
                    connection: self, name: sender, path: path, allowsInteraction: message.allowsInteraction)
                try method.start(&reader, caller, pending)
            } catch {
                guard !reader.isOutOfDescriptors else { throw CallRefusal.noShareLeft }
                throw CallRefusal(.invalidArguments, "An argument of \(member) is not valid: \(error).")
            }
            keep(reader.descriptorsTaken, for: pending)
        } catch {
            if pending.claim() { refuse(pending, with: error) }
        }
    }

    /// What a call may still take of its user's share.
    private func room(for pending: PendingAnswer) throws(CallRefusal) -> CallShare {
        let open = served[pending.sender]?.values.count { $0.hasOwnRoom == pending.hasOwnRoom } ?? 0
        guard open < options.maximumCallsPerSender else {
            throw CallRefusal(.limitsExceeded, "Too many of your calls are unanswered.")
        }
        guard let share = options.shareOfUser else { return CallShare(calls: .max, descriptors: .max) }
        let left = shares.left(of: share, for: knownCredentials[pending.sender]?.uid)
        guard left.calls > 0 || pending.hasOwnRoom else { throw .noShareLeft }
        return left
    }

    /// The call goes on, with what it took; whose it is is asked while it does.
    private func keep(_ descriptors: Int, for pending: PendingAnswer) {
        guard options.shareOfUser != nil, served[pending.sender]?[pending.id] != nil else { return }
        let user = knownCredentials[pending.sender]?.uid
        if descriptors > 0 {
            pending.hold(descriptors)
            shares.add(CallShare(calls: 0, descriptors: descriptors), to: pending.sender, user)
        }
        if user == nil { askUser(of: pending.sender) }
    }

    private func askUser(of sender: BusName) {
        guard asksUser[sender] == nil else { return }
        asksUser[sender] = []
        Task(executorPreference: tasks) { await self.attributeCalls(of: sender) }
    }

    /// Where little is left of some user's share, a call of which it is not known yet whose it is waits until it is. That is
    /// a moment; of many such calls the rest is taken as if all unknown callers were one user.
    private func waitsForUser(_ message: Message, of sender: BusName) -> Bool {
        guard let share = options.shareOfUser, knownCredentials[sender] == nil else { return false }
        let isWaiting = asksUser[sender]?.isEmpty == false
        guard isWaiting || shares.isTight(share), asksUser.values.reduce(0, { $0 + $1.count }) < 8 else { return false }
        askUser(of: sender)
        asksUser[sender]?.append(message)
        return true
    }

    private func attributeCalls(of sender: BusName) async {
        let isThere = (try? await credentials(of: sender)) != nil
        let waiting = asksUser.removeValue(forKey: sender) ?? []
        // A caller that has left wants no answer.
        guard isThere else { return }
        for message in waiting where isOpen { receiveCall(message) }
    }

    /// The call has ended.
    func giveBack(_ pending: PendingAnswer) {
        guard served[pending.sender]?.removeValue(forKey: pending.id) != nil else { return }
        if served[pending.sender]?.isEmpty ?? false { served[pending.sender] = nil }
        shares.remove(pending.share, from: pending.sender)
    }

    private func find(
        _ member: String, _ interface: String?, at path: ObjectPath
    ) throws(CallRefusal) -> ServedObject.ServedMethod {
        let object = objects[path]
        if let interface, let name = InterfaceName(interface), let method = object?.methods[name]?[member] {
            return method
        }
        let children = objects.keys.contains { path.child(towards: $0) != nil }
        let standard = StandardObject.methods(of: object, at: path, isNode: object != nil || children)
        guard let interface else {
            if let method = standard.firstMethod(member) ?? object?.firstMethod(member) { return method }
            throw CallRefusal(.unknownMethod, "There is no method \(member).")
        }
        if let name = InterfaceName(interface) {
            if let method = standard.methods[name]?[member] { return method }
            if standard.hasInterface(name) || object?.hasInterface(name) ?? false {
                throw CallRefusal(.unknownMethod, "There is no method \(member) on interface \(interface).")
            }
        }
        guard object != nil || children else { throw CallRefusal(.unknownObject, "There is no object \(path).") }
        throw CallRefusal(.unknownInterface, "\(path) has no interface \(interface).")
    }

    /// Sends the answer to a claimed call, from any thread.
    nonisolated func answer(
        _ pending: PendingAnswer, _ body: (inout ValueWriter) throws(DBusError) -> Void
    ) {
        do throws(DBusError) {
            let message = try pending.message(.reply)
            let size = try message.append(within: options.messageLimits, body)
            finish(pending, message, size)
        } catch {
            options.onUnexpectedError(error, pending.member)
            refuse(pending, with: CallRefusal(options.failureName, options.failureMessage))
        }
    }

    /// Sends an error to a claimed call, from any thread. Only a `BusError` shows its name and text.
    nonisolated func refuse(_ pending: PendingAnswer, with error: any Error) {
        var told = CallRefusal(options.failureName, options.failureMessage)
        if let error = error as? any BusError {
            told = CallRefusal(error.name, error.message)
        } else {
            options.onUnexpectedError(error, pending.member)
        }
        // A text that cannot be sent must not cost the caller its answer.
        let message = encode(told, pending) ?? encode(CallRefusal(told.name, ""), pending)
        finish(pending, message, told.message.utf8.count, .refused)
    }

    nonisolated func encode(_ refusal: CallRefusal, _ pending: PendingAnswer) -> Message? {
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

    private nonisolated func finish(
        _ pending: PendingAnswer, _ message: Message?, _ size: Int, _ news: CallNews? = nil
    ) {
        // Safe: the maker of the message gives it away here and never touches it again.
        nonisolated(unsafe) let message = message
        perform { connection in
            if let news { connection.callObserver?(pending.sender, news) }
            connection.giveBack(pending)
            guard let message, pending.expectsReply else { return }
            guard connection.hasRoomToRead(size, for: pending.sender) else { return connection.refuseUnread(pending) }
            _ = try? connection.send(message)
            connection.sent(size, to: pending.sender)
        }
    }
}

/// What the binding itself answers.
struct CallRefusal: BusError {
    let name: ErrorName
    let message: String

    init(_ name: ErrorName, _ message: String) {
        self.name = name
        self.message = message
    }
}

extension CallRefusal {
    static let noShareLeft = CallRefusal(.limitsExceeded, "Too many calls of your user are unanswered.")
}
