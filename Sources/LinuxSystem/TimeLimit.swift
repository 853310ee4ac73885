import Synchronization

/// When blocking work must end: at a moment, or as soon as it is cancelled.
///
/// The clock is CLOCK_MONOTONIC: a suspended machine does not use the time up.
public final class TimeLimit: Sendable {
    public let deadline: SuspendingClock.Instant
    private let cancelled = Atomic(false)

    public init(deadline: SuspendingClock.Instant) {
        self.deadline = deadline
    }

    public convenience init(_ duration: Duration) {
        self.init(deadline: SuspendingClock.now.advanced(by: duration))
    }

    public func cancel() {
        cancelled.store(true, ordering: .releasing)
    }

    public var isCancelled: Bool {
        cancelled.load(ordering: .acquiring)
    }

    public var isOver: Bool {
        isCancelled || SuspendingClock.now >= deadline
    }

    package var left: Duration { max(.zero, SuspendingClock.now.duration(to: deadline)) }

    /// What is left for `poll`, rounded up, at most `cap`.
    package func milliseconds(cap: Int64) -> CInt {
        let left = SuspendingClock.now.duration(to: deadline)
        if isCancelled || left <= .zero {
            return 0
        }
        let (seconds, attoseconds) = left.components
        if seconds >= cap / 1000 + 1 {
            return CInt(clamping: cap)
        }
        return CInt(clamping: min(cap, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
    }
}
