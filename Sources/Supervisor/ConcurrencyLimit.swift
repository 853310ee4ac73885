import Synchronization
import Waiting

/// Lets only so many through at a time; the others wait in the order in which they came.
package final class ConcurrencyLimit: Sendable {
    private let limit: Int
    /// Looked at and changed under the lock of the list alone.
    private let taken = Mutex(0)
    private let waiters = WaiterList<Void>()

    package init(_ limit: Int) { self.limit = limit }

    /// Returns at once, or when it is this one's turn, which a cancelled task gives back like any other.
    package func take(isolation: isolated (any Actor)? = #isolation) async {
        await waiters.wait(
            isolation: isolation,
            unless: {
                taken.withLock { taken -> Void? in
                    guard taken < limit else { return nil }
                    taken += 1
                    return ()
                }
            })
    }

    package func giveBack() {
        // The place goes to the next one, so it stays taken.
        waiters.wakeFirst((), otherwise: { taken.withLock { $0 -= 1 } })
    }
}
