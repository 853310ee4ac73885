import CDBus

/// Whether the bus tells about all names that come and go.
enum NameWatch {
    case none
    case starting([CallTicket<Void>])
    case on
}

extension Connection {
    /// Owns `name`, or throws `DBusError.nameTaken`; never queues for it and never lets another one take it.
    ///
    /// Serve the objects first: calls may come as soon as the bus has decided.
    ///
    /// - Parameter begin: Is handed what asks for the name, and calls it on the bus thread when it likes, or the wait never
    ///   ends. Every peer hears what is sent after that from the owner, and no call is dispatched before.
    public func own(
        _ name: BusName, asking begin: (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) async throws {
        let doNotQueue: UInt32 = 4
        ownedNames.insert(name)
        do {
            let message = try encode(BusDaemon.requestName, (name.rawValue, doNotQueue), to: .bus, at: .bus)
            let ticket = CallTicket<UInt32>()
            // Safe: the message is given away here and never touched again.
            nonisolated(unsafe) let given = message
            let result = try await ticket.value(
                {
                    begin {
                        self.assumeIsolated { connection in
                            _ = connection.start(given, timeout: .seconds(25)) { reply in
                                ticket.finish(
                                    Result { try Self.values(of: reply.get(), as: BusDaemon.requestName.output) })
                            }
                        }
                    }
                }, onCancel: {})
            // 1: now the owner; 4: was it already.
            guard result == 1 || result == 4 else { throw DBusError.nameTaken(name) }
        } catch {
            ownedNames.remove(name)
            throw error
        }
    }

    public func release(_ name: BusName) async throws {
        ownedNames.remove(name)
        _ = try await call(BusDaemon.releaseName, name.rawValue, to: .bus, at: .bus)
    }

    /// The unique name of the owner; nil if no connection owns it.
    public func owner(of name: BusName) async throws -> BusName? {
        do {
            return BusName(try await call(BusDaemon.getNameOwner, name.rawValue, to: .bus, at: .bus))
        } catch let error as DBusError where error.name == .nameHasNoOwner {
            return nil
        }
    }

    public func hasOwner(_ name: BusName) async throws -> Bool {
        try await owner(of: name) != nil
    }

    /// Returns when all messages that the bus has passed on so far have come in, or when it does not answer in time.
    public func catchUp(atMost limit: Duration) async {
        _ = try? await call(BusDaemon.getID, to: .bus, at: .bus, timeout: limit)
    }

    /// User, process and groups of a connection, asked from the bus once for each unique name.
    ///
    /// - Throws: `DBusError.reply` with `NameHasNoOwner` when it has left, `DBusError.invalidValue` when the bus does
    ///   not know the user.
    public func credentials(of name: BusName) async throws -> Credentials {
        if let known = knownCredentials[name] { return known }
        try await watchNames()
        let message = try encode(BusDaemon.credentials, name.rawValue, to: .bus, at: .bus)
        let connection = self
        return try await exchange(message, timeout: .seconds(25)) { reply throws(DBusError) in
            let values = try Connection.values(of: reply, as: BusDaemon.credentials.output)
            guard let credentials = Credentials(values) else {
                throw .invalidValue("the bus does not know the user of \(name)")
            }
            // Kept right here, in the order of the bus: the news that it left can only come later.
            if name.isUnique {
                connection.assumeIsolated {
                    $0.knownCredentials[name] = credentials
                    $0.shares.attribute(name, to: credentials.uid)
                }
            }
            return credentials
        }
    }

    /// Calls `observer` on the bus thread for each name that comes, goes or moves, in the order of all messages.
    ///
    /// - Returns: what `stopObserving` takes.
    public func observeNames(
        _ observer: @escaping @Sendable (NameOwnerChange) -> Void
    ) async throws -> UInt64 {
        let token = nextToken()
        nameObservers[token] = observer
        do {
            try await watchNames()
        } catch {
            nameObservers[token] = nil
            throw error
        }
        return token
    }

    public func stopObserving(_ token: UInt64) {
        nameObservers[token] = nil
    }

    func nameOwnerChanged(_ change: NameOwnerChange) {
        if let tracked = owners[change.name] {
            owners[change.name] = TrackedOwner(owner: change.newOwner, isKnown: true, users: tracked.users)
        }
        if change.name.isUnique, change.newOwner == nil { forget(change.name) }
        for observer in nameObservers.values { observer(change) }
    }

    /// A connection has left the bus: its long calls end, and what was known of it with them.
    private func forget(_ name: BusName) {
        knownCredentials[name] = nil
        // No caller waits for a call that wanted no answer, gone or not: it runs to its end.
        for answer in (served[name] ?? [:]).values where answer.expectsReply {
            answer.abandon()
            callObserver?(name, .abandoned)
        }
        for answer in (served[name] ?? [:]).values { giveBack(answer) }
        unread.forget(name)
    }

    /// Asks the bus once to tell about all names.
    func watchNames() async throws {
        switch nameWatch {
        case .on: return
        case .starting(let others):
            let ticket = CallTicket<Void>()
            nameWatch = .starting(others + [ticket])
            return try await ticket.value({}, onCancel: {})
        case .none:
            nameWatch = .starting([])
        }
        // A task of its own: the first caller's cancellation must not fail those who joined.
        let result = await Task(executorPreference: tasks) {
            try await self.addMatch(MatchRule(sender: .bus, signal: BusDaemon.nameOwnerChanged))
        }.result
        guard case .starting(let others) = nameWatch else { return }
        switch result {
        case .success: nameWatch = .on
        case .failure: nameWatch = .none
        }
        for ticket in others { ticket.finish(result) }
        try result.get()
    }
}
