extension Connection {
    /// Emits a signal: to all who listen, or to one connection.
    ///
    /// Sent before it returns when called on the bus thread, else in the order of the calls. A connection that is
    /// closed swallows it.
    public nonisolated func emit<Values>(
        _ signal: Signal<Values>, _ values: Values, from path: ObjectPath, to destination: BusName? = nil
    ) throws(DBusError) {
        let message = try Message(.signal)
        try message.address(to: destination, path: path, interface: signal.interface, member: signal.name)
        try message.append(within: options.messageLimits) { writer throws(DBusError) in
            try signal.arguments.write(values, &writer)
        }
        deliver(message)
    }

    public nonisolated func emit(
        _ signal: Signal<Void>, from path: ObjectPath, to destination: BusName? = nil
    ) throws(DBusError) {
        try emit(signal, (), from: path, to: destination)
    }

    /// Tells that properties of an object changed: with their new values, or only that they are others now.
    public nonisolated func emitPropertiesChanged(
        _ interface: InterfaceName, _ changed: VariantDictionary, invalidated: [String] = [], from path: ObjectPath
    ) throws(DBusError) {
        try emit(Properties.changed, (interface.rawValue, changed, invalidated), from: path)
    }

    /// Subscribes to a signal; the bus sends it from the moment when this returns.
    ///
    /// A signal whose arguments have other types than declared is dropped.
    /// - Parameter sender: only from this one; of a well-known name from the connection that owns it at that moment.
    /// - Parameter firstArgument: only those whose first argument is this string.
    /// - Parameter limit: signals that may wait for the consumer.
    public func subscribe<Values>(
        to signal: Signal<Values>, from sender: BusName? = nil, at path: ObjectPath? = nil,
        firstArgument: String? = nil, limit: Int = 4096
    ) async throws -> SignalStream<Values> {
        guard isOpen else { throw DBusError.disconnected }
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: ReceivedSignal<Values>.self, throwing: (any Error).self,
            bufferingPolicy: .bufferingOldest(max(1, limit)))
        let source = SignalSource(signal, from: sender, at: path, firstArgument: firstArgument) { $0 }
        let token = try await add(source, to: continuation)
        unsubscribe([token], atEndOf: continuation)
        return SignalStream(base: stream)
    }

    /// Subscribes to signals of several kinds, for who needs them in the order in which the bus delivers them: streams of
    /// their own are each in order, and not among each other.
    ///
    /// - Parameter limit: signals that may wait for the consumer.
    public func subscribe<Element: Sendable>(
        to sources: [SignalSource<Element>], limit: Int = 4096
    ) async throws -> AsyncThrowingStream<Element, any Error> {
        guard isOpen else { throw DBusError.disconnected }
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: Element.self, throwing: (any Error).self, bufferingPolicy: .bufferingOldest(max(1, limit)))
        var tokens: [UInt64] = []
        do {
            for source in sources { tokens.append(try await add(source, to: continuation)) }
        } catch {
            for token in tokens { unsubscribe(token) }
            throw error
        }
        unsubscribe(tokens, atEndOf: continuation)
        return stream
    }

    private func add<Element>(
        _ source: SignalSource<Element>, to continuation: AsyncThrowingStream<Element, any Error>.Continuation
    ) async throws -> UInt64 {
        let (rule, read) = (source.rule, source.read)
        let token = nextToken()
        subscriptions[token] = Subscription(rule: rule) { message, sender in
            guard let element = read(message, sender) else { return }
            if case .dropped = continuation.yield(element) { continuation.finish(throwing: DBusError.overflow) }
        } end: { error in
            continuation.finish(throwing: error)
        }
        do {
            if let sender = rule.sender { try await track(sender) }
            do {
                try await addMatch(rule)
            } catch {
                if let sender = rule.sender { untrack(sender) }
                throw error
            }
        } catch {
            subscriptions[token] = nil
            throw error
        }
        return token
    }

    private func unsubscribe<Element>(
        _ tokens: [UInt64], atEndOf continuation: AsyncThrowingStream<Element, any Error>.Continuation
    ) {
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            thread.performLater {
                self.assumeIsolated { connection in
                    for token in tokens { connection.unsubscribe(token) }
                }
            }
        }
    }

    /// Who owns `name`, now and after each change.
    public func owners(of name: BusName) async throws -> OwnerStream {
        let changes = try await subscribe(to: BusDaemon.nameOwnerChanged, from: .bus, firstArgument: name.rawValue)
        return OwnerStream(first: try await owner(of: name), changes: changes)
    }

    /// The changes of an object's properties on one interface, for a client.
    public func propertyChanges(
        of interface: InterfaceName, from sender: BusName, at path: ObjectPath
    ) async throws -> SignalStream<(String, VariantDictionary, [String])> {
        try await subscribe(
            to: Properties.changed, from: sender, at: path, firstArgument: interface.rawValue)
    }

    private func unsubscribe(_ token: UInt64) {
        guard let subscription = subscriptions.removeValue(forKey: token) else { return }
        if let sender = subscription.rule.sender { untrack(sender) }
        removeMatch(subscription.rule)
    }

    func addMatch(_ rule: MatchRule) async throws {
        try await call(BusDaemon.addMatch, rule.text, to: .bus, at: .bus)
    }

    private func removeMatch(_ rule: MatchRule) {
        try? post(BusDaemon.removeMatch, rule.text, to: .bus, at: .bus)
    }

    private func ownerRule(_ name: BusName) -> MatchRule {
        MatchRule(sender: .bus, signal: BusDaemon.nameOwnerChanged, firstArgument: name.rawValue)
    }

    /// Follows who owns a well-known name, since signals come with unique ones.
    private func track(_ name: BusName) async throws {
        guard !name.isUnique, name != .bus else { return }
        owners[name, default: TrackedOwner()].users += 1
        do {
            try await addMatch(ownerRule(name))
            let owner = try await owner(of: name)
            // The news may have come in after the answer, and before this task went on.
            if owners[name]?.isKnown == false { owners[name]?.owner = owner }
        } catch {
            untrack(name)
            throw error
        }
    }

    private func untrack(_ name: BusName) {
        guard var tracked = owners[name] else { return }
        tracked.users -= 1
        owners[name] = tracked.users > 0 ? tracked : nil
        removeMatch(ownerRule(name))
    }
}
