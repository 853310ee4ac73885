import LinuxSystem

/// The idle time of an X server, for a thread of its own.
struct XIdle {
    /// Milliseconds.
    let after: UInt64
    /// CLOCK_BOOTTIME in microseconds.
    let start: UInt64

    /// Asks the server when it can have become idle at the earliest, and while it is once a second: it tells of input only those
    /// whose windows have it. Blocks until stopped, or the server is gone.
    func run(_ address: XAddress, _ orders: CoverOrders, report: (IdleWatch.Event) -> Void) {
        guard let connection = XConnection(address) else { return }
        // When something was touched last; nil: the device is not idle.
        var since: UInt64?
        while !orders.take().isOver, let silence = silence(on: connection) {
            let last = BootClock.now &- silence &* 1000
            if let known = since {
                if last > known &+ Self.slack {
                    since = nil
                    report(.active)
                }
            } else if silence >= after {
                since = last
                report(.idle(since: last))
            }
            let pause = since == nil ? after - min(after, silence) : 1000
            // Wakes also when the server is gone.
            _ = orders.sleep(connection.descriptor, for: 0, milliseconds: CInt(clamping: max(1, pause)))
        }
    }

    /// Microseconds by which two answers about the same moment may differ.
    private static let slack: UInt64 = 200_000

    /// How many milliseconds there was no input; nil: the server does not say, or is gone.
    private func silence(on connection: XConnection) -> UInt64? {
        guard let counted = connection.idle else { return nil }
        let now = BootClock.now
        return min(counted.wholeMilliseconds, now > start ? (now - start) / 1000 : 0)
    }
}
