/// The calls of a connection that wait for their reply.
struct PendingCalls {
    typealias Completion = @Sendable (Result<Message, DBusError>) -> Void

    private struct Call {
        var deadline: SuspendingClock.Instant?
        var completion: Completion
    }

    private var waiting: [UInt32: Call] = [:]
    /// At or before the first deadline; nil when none waits.
    private(set) var nextDeadline: SuspendingClock.Instant?

    mutating func add(_ serial: UInt32, deadline: SuspendingClock.Instant?, _ completion: @escaping Completion) {
        waiting[serial] = Call(deadline: deadline, completion: completion)
        if let deadline { nextDeadline = min(nextDeadline ?? deadline, deadline) }
    }

    mutating func remove(_ serial: UInt32) -> Completion? {
        let call = waiting.removeValue(forKey: serial)
        if waiting.isEmpty { nextDeadline = nil }
        return call?.completion
    }

    mutating func expire(at now: SuspendingClock.Instant) {
        guard let nextDeadline, nextDeadline <= now else { return }
        let late = waiting.filter { $0.value.deadline.map { $0 <= now } ?? false }
        for serial in late.keys { waiting.removeValue(forKey: serial) }
        self.nextDeadline = waiting.values.compactMap(\.deadline).min()
        for call in late.values { call.completion(.failure(.timedOut)) }
    }

    mutating func failAll(_ error: DBusError) {
        let all = waiting
        waiting = [:]
        nextDeadline = nil
        for call in all.values { call.completion(.failure(error)) }
    }
}
