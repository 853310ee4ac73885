import LinuxSystem

/// Says when nobody has touched keyboard, pointer or touch screen for a time, and when somebody does again.
///
/// Its thread sleeps meanwhile: until then at the earliest, and while nobody touches anything at most a second at a time.
package final class IdleWatch: Sendable {
    package enum Event: Sendable, Equatable {
        /// Since then, which is CLOCK_BOOTTIME in microseconds.
        case idle(since: UInt64)
        /// Somebody is there again; only after `idle`.
        case active
    }

    /// Ends when the display is gone, or says nothing of idleness, or the watch is stopped.
    package let events: AsyncStream<Event>
    private let orders: CoverOrders

    /// - Parameters:
    ///   - after: How long nobody touches anything before it is said.
    ///   - start: What was before that, CLOCK_BOOTTIME in microseconds, does not count.
    init?(
        _ display: Kind, after: Duration, since start: UInt64
    ) {
        guard let orders = CoverOrders() else { return nil }
        let (events, report) = AsyncStream.makeStream(of: Event.self)
        self.orders = orders
        self.events = events
        report.onTermination = { _ in orders.stop() }
        let span = max(
            1,
            UInt64(clamping: after.components.seconds) &* 1000
                &+ UInt64(clamping: after.components.attoseconds / 1_000_000_000_000_000))
        let isStarted = OwnThread.start {
            switch display {
            case .x11(let address): XIdle(after: span, since: start).run(address, orders) { report.yield($0) }
            case .wayland(let address): WaylandIdle.run(address, after: span, orders) { report.yield($0) }
            }
            report.finish()
        }
        if !isStarted { return nil }
    }

    deinit { orders.stop() }

    package func stop() { orders.stop() }

    enum Kind: Sendable {
        case x11(XAddress)
        case wayland(WaylandAddress)
    }
}
