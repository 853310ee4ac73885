/// The owners of a name: the present one first, then each change; nil while no connection owns it.
public struct OwnerStream: AsyncSequence, Sendable {
    public typealias Element = BusName?

    public struct AsyncIterator: AsyncIteratorProtocol {
        var first: BusName??
        var changes: SignalStream<(String, String, String)>.AsyncIterator

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> BusName?? {
            if let first {
                self.first = .none
                return .some(first)
            }
            guard let change = try await changes.next(isolation: actor) else { return .none }
            return .some(BusName(change.values.2))
        }
    }

    let first: BusName?
    let changes: SignalStream<(String, String, String)>

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(first: .some(first), changes: changes.makeAsyncIterator())
    }
}
