/// Answers one call, whenever and from wherever; the first answer counts.
///
/// On the bus thread an answer is sent before `reply` returns, so it stands in order with signals that are emitted
/// before and after it. Letting go of a responder without an answer sends the connection's generic failure.
public final class Responder<Output: Sendable>: Sendable {
    public let caller: Caller
    private let pending: PendingAnswer
    private let output: Arguments<Output>

    init(caller: Caller, pending: PendingAnswer, output: Arguments<Output>) {
        self.caller = caller
        self.pending = pending
        self.output = output
    }

    deinit {
        if pending.claim() { caller.connection.refuse(pending, with: Unanswered()) }
    }

    public func reply(_ values: Output) {
        guard pending.claim() else { return }
        caller.connection.answer(pending) { writer throws(DBusError) in
            try self.output.write(values, &writer)
        }
    }

    /// Replies with what `body` gives, or fails with what it throws.
    public func reply(_ body: () throws -> Output) {
        do {
            reply(try body())
        } catch {
            fail(error)
        }
    }

    /// The same with what takes its time.
    public func reply(_ body: () async throws -> Output) async {
        do {
            reply(try await body())
        } catch {
            fail(error)
        }
    }

    /// A `BusError` travels as it is, anything else as the connection's generic failure.
    public func fail(_ error: any Error) {
        guard pending.claim() else { return }
        caller.connection.refuse(pending, with: error)
    }

    /// Runs `action` when the caller leaves the bus, or the connection ends, before the answer.
    public func onCallerLeft(_ action: @escaping @Sendable () -> Void) {
        pending.whenAbandoned(action)
    }
}

extension Responder where Output == Void {
    public func reply() { reply(()) }
}

/// A handler forgot its caller.
struct Unanswered: Error {}
