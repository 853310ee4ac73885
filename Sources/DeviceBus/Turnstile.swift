internal import Supervisor

/// Lets one in at a time, in the order in which they came.
package actor Turnstile {
    private var place = ConcurrencyLimit(1)

    package init() {}

    /// Does the work when everybody who came before has ended theirs.
    package nonisolated func pass<Value: Sendable>(_ work: () async throws -> Value) async rethrows -> Value {
        await enter()
        do {
            let value = try await work()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async { await withCheckedContinuation { place.take($0) } }

    private func leave() { place.giveBack() }
}
