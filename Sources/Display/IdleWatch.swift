import LinuxSystem

/// Reports when there was no input from keyboard, pointer or touch screen for a time, and when there is input again.
///
/// Its thread sleeps meanwhile: as long as the time cannot be over yet, and while the device is idle until there is input.
package final class IdleWatch: Sendable {
    package enum Event: Sendable, Equatable {
        /// The last input, CLOCK_BOOTTIME in microseconds.
        case idle(since: UInt64)
        /// There is input again; only after `idle`.
        case active
    }

    /// Ends when the display is gone, or says nothing of idleness, or the watch is stopped.
    package let events: AsyncStream<Event>
    private let stopping: @Sendable () -> Void

    /// - Parameters:
    ///   - after: How long without input before it is reported.
    ///   - start: What was before that, CLOCK_BOOTTIME in microseconds, does not count.
    init?(_ display: Kind, after: Duration, since start: UInt64) {
        guard let orders = CoverOrders() else { return nil }
        let (events, report) = AsyncStream.makeStream(of: Event.self)
        stopping = { orders.stop() }
        self.events = events
        let span = max(1, after.wholeMilliseconds)
        let isStarted = OwnThread.start {
            switch display {
            case .x11(let address): XIdle(after: span, start: start).run(address, orders) { report.yield($0) }
            case .wayland(let address): WaylandIdle.run(address, after: span, orders) { report.yield($0) }
            }
            report.finish()
        }
        if !isStarted { return nil }
    }

    /// One of another source.
    ///
    /// - Parameter run: Reports what it sees, until it is cancelled or there is nothing more to see.
    package init(_ run: @escaping @Sendable (_ report: @escaping @Sendable (Event) -> Void) async -> Void) {
        let (events, report) = AsyncStream.makeStream(of: Event.self)
        let task = Task {
            await run { report.yield($0) }
            report.finish()
        }
        self.events = events
        stopping = { task.cancel() }
    }

    deinit { stopping() }

    package func stop() { stopping() }

    enum Kind: Sendable {
        case x11(XAddress)
        case wayland(WaylandAddress)
    }
}

extension Duration {
    package var wholeMilliseconds: UInt64 {
        let (seconds, rest) = components
        return UInt64(clamping: seconds) &* 1000 &+ UInt64(clamping: rest / 1_000_000_000_000_000)
    }
}
