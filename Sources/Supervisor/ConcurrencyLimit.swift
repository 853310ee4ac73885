/// Lets only so many through at a time; the others wait in the order in which they came. For an actor's own use.
package struct ConcurrencyLimit {
    private let limit: Int
    private var taken = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ limit: Int) { self.limit = limit }

    /// Resumes at once, or when it is this one's turn.
    package mutating func take(_ continuation: CheckedContinuation<Void, Never>) {
        if taken < limit {
            taken += 1
            continuation.resume()
        } else {
            waiting.append(continuation)
        }
    }

    package mutating func giveBack() {
        // The place goes to the next one, so it stays taken.
        if waiting.isEmpty { taken -= 1 } else { waiting.removeFirst().resume() }
    }
}
