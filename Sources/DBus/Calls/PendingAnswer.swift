import Synchronization

/// A call that came in and is not answered yet.
final class PendingAnswer: Sendable {
    private enum State {
        case open([@Sendable () -> Void])
        case answered
        case abandoned
    }

    let id: UInt64
    let sender: BusName
    let member: String
    let expectsReply: Bool
    /// Taken beyond the share of the caller's user.
    let hasOwnRoom: Bool
    private let serial: UInt32
    private let held = Atomic<Int>(0)
    private let state = Mutex(State.open([]))

    init(id: UInt64, sender: BusName, member: String, message: Message, hasOwnRoom: Bool = false) {
        self.id = id
        self.sender = sender
        self.member = member
        expectsReply = !message.expectsNoReply
        serial = message.serial
        self.hasOwnRoom = hasOwnRoom
    }

    /// Descriptors that came with the call and are in use until it is answered.
    private var descriptors: Int { held.load(ordering: .relaxed) }
    /// What it holds of its user's share.
    var share: CallShare { CallShare(calls: hasOwnRoom ? 0 : 1, descriptors: descriptors) }

    func hold(_ descriptors: Int) { held.store(descriptors, ordering: .relaxed) }

    /// True for the first who asks; only that one answers.
    func claim() -> Bool {
        state.withLock { state in
            guard case .open = state else { return false }
            state = .answered
            return true
        }
    }

    /// The caller has left: the task that works for it may stop.
    func abandon() {
        let actions = state.withLock { state -> [@Sendable () -> Void] in
            guard case .open(let actions) = state else { return [] }
            state = .abandoned
            return actions
        }
        for action in actions { action() }
    }

    /// Runs `action` when the caller leaves before the answer; at once when it has left already.
    func whenAbandoned(_ action: @escaping @Sendable () -> Void) {
        let isAbandoned = state.withLock { state in
            switch state {
            case .open(let actions):
                state = .open(actions + [action])
                return false
            case .answered: return false
            case .abandoned: return true
            }
        }
        if isAbandoned { action() }
    }

    func message(_ kind: Message.Kind, errorName: ErrorName? = nil) throws(DBusError) -> Message {
        let message = try Message(kind)
        try message.address(to: sender)
        try message.answers(serial, errorName: errorName)
        return message
    }
}
