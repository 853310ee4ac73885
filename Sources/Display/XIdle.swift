import LinuxSystem

/// The idle time of an X server, for a thread of its own.
struct XIdle {
    /// Milliseconds.
    let after: UInt64
    /// CLOCK_BOOTTIME in microseconds.
    let start: UInt64

    /// Asks the server when it can have become idle at the earliest, and while it is when an alarm of the server's tells of input: of
    /// events it tells only those whose windows have them. A server without alarms is asked once a second. Blocks until stopped, or
    /// the server is gone.
    func run(_ address: XAddress, _ orders: CoverOrders, report: (IdleWatch.Event) -> Void) {
        guard let connection = XConnection(address) else { return }
        let alarm = XInputAlarm(connection)
        // When something was touched last; nil: the device is not idle.
        var since: UInt64?
        while !orders.take().isOver, let silence = silence(on: connection) {
            let last = BootClock.now &- silence &* 1000
            if let known = since {
                if last > known &+ Self.slack {
                    since = nil
                    alarm?.clear()
                    report(.active)
                }
            } else if silence >= after {
                since = last
                report(.idle(since: last))
                if let alarm {
                    alarm.set(below: after / 2)
                    // Of what was touched before the server had the alarm, it tells nothing.
                    continue
                }
            }
            if since != nil, alarm != nil {
                _ = orders.sleep(connection.descriptor, milliseconds: -1)
                while connection.nextEvent() != nil {}
                continue
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
