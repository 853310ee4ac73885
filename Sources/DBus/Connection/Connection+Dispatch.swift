extension Connection {
    /// Handles what has come in, in its order, but no more than a turn of each sender: the rest waits until the
    /// others had theirs. So one busy sender delays no other, and each sender's messages stay in order.
    func dispatchBacklog() {
        guard !backlog.isEmpty else { return }
        var taken: [BusName: Int] = [:]
        // Names of which a change waits: later ones must not overtake it, or who was followed by another stays gone.
        var moving: Set<BusName> = []
        var rest: [Message] = []
        let messages = backlog
        backlog = []
        for message in messages {
            let change = nameChange(message)
            let key = queue(of: message, change)
            let count = taken[key, default: 0]
            let isMoving = change.map { moving.contains($0.name) } ?? false
            guard key == .bus || count < max(1, options.turnLength), !isMoving else {
                rest.append(message)
                if let change {
                    moving.insert(change.name)
                    // What the new owner says means something only to who knows that it is the owner.
                    if let owner = change.newOwner { taken[owner] = .max }
                }
                continue
            }
            taken[key] = count &+ 1
            dispatch(message)
            // A handler may have closed the connection.
            guard isOpen else { return }
        }
        backlog = rest
    }

    private func nameChange(_ message: Message) -> NameOwnerChange? {
        guard message.kind == .signal, message.sender == .bus,
            message.member == BusDaemon.nameOwnerChanged.name.rawValue
        else { return nil }
        return NameOwnerChange(message)
    }

    /// Whose turn a message takes: its sender's, and of the news that a connection left, that connection's,
    /// because it must not overtake what that one said before.
    private func queue(of message: Message, _ change: NameOwnerChange?) -> BusName {
        change?.oldOwner ?? message.sender ?? .bus
    }

    private func dispatch(_ message: Message) {
        switch message.kind {
        case .reply: receiveReply(message, .reply)
        case .error: receiveReply(message, .error)
        case .signal: receiveSignal(message)
        case .call: receiveCall(message)
        case nil: break
        }
    }

    private func receiveSignal(_ message: Message) {
        // Without a sender it comes from libdbus itself, which has nothing to say that is not seen otherwise.
        guard let sender = message.sender else { return }
        if sender == .bus { receiveBusSignal(message) }
        for subscription in subscriptions.values where subscription.takes(message, from: sender, owners: owners) {
            subscription.deliver(message, sender)
        }
    }

    private func receiveBusSignal(_ message: Message) {
        guard message.interface == BusDaemon.interface.rawValue else { return }
        switch message.member {
        case BusDaemon.nameOwnerChanged.name.rawValue:
            if let change = NameOwnerChange(message) { nameOwnerChanged(change) }
        case BusDaemon.nameLost.name.rawValue:
            if let name = message.firstString.flatMap({ BusName($0) }), ownedNames.remove(name) != nil {
                report(.nameLost(name))
            }
        default: break
        }
    }
}
