import Synchronization

final class Ticks: Sendable {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
