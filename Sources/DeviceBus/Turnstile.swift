import Supervisor

/// Lets one in at a time, in the order in which they came.
package final class Turnstile: Sendable {
    private let place = ConcurrencyLimit(1)

    package init() {}

    /// Does the work when every task that came before has ended its own.
    package func pass<Value: Sendable>(_ work: () async throws -> Value) async rethrows -> Value {
        await place.take()
        defer { place.giveBack() }
        return try await work()
    }
}
