/// What the unanswered calls of each user hold.
///
/// Of whom the bus has not said yet who they are, all together are one user.
struct CallShares {
    private struct Sender {
        var user: UInt32?
        var held = CallShare(calls: 0, descriptors: 0)
    }

    private var senders: [BusName: Sender] = [:]
    private var users: [UInt32?: CallShare] = [:]

    /// What the user has left of the share.
    func left(of share: CallShare, for user: UInt32?) -> CallShare {
        let held = users[user] ?? CallShare(calls: 0, descriptors: 0)
        return CallShare(calls: share.calls - held.calls, descriptors: share.descriptors - held.descriptors)
    }

    /// Whether one of the users holds so much that a caller could be that one: half of the share.
    func isTight(_ share: CallShare) -> Bool {
        users.values.contains { $0.calls * 2 >= share.calls || $0.descriptors * 2 >= share.descriptors }
    }

    mutating func add(_ more: CallShare, to sender: BusName, _ user: UInt32?) {
        attribute(sender, to: user)
        change(sender, user, by: more)
    }

    mutating func remove(_ held: CallShare, from sender: BusName) {
        guard let entry = senders[sender] else { return }
        change(sender, entry.user, by: CallShare(calls: -held.calls, descriptors: -held.descriptors))
    }

    /// The bus has said whose connection it is.
    mutating func attribute(_ sender: BusName, to user: UInt32?) {
        guard let entry = senders[sender], entry.user != user else { return }
        let held = entry.held
        remove(held, from: sender)
        senders[sender] = nil
        change(sender, user, by: held)
    }

    private mutating func change(_ sender: BusName, _ user: UInt32?, by more: CallShare) {
        var entry = senders[sender] ?? Sender(user: user)
        entry.held.add(more)
        senders[sender] = entry.held.isEmpty ? nil : entry
        var sum = users[user] ?? CallShare(calls: 0, descriptors: 0)
        sum.add(more)
        users[user] = sum.isEmpty ? nil : sum
    }
}

extension CallShare {
    fileprivate var isEmpty: Bool { calls == 0 && descriptors == 0 }

    fileprivate mutating func add(_ other: CallShare) {
        calls += other.calls
        descriptors += other.descriptors
    }
}
