import CXCB

/// Has an X server tell when there is input again, by an event that wakes who sleeps on the connection (the extension SYNC).
final class XInputAlarm {
    private let connection: XConnection
    private let counter: UInt32
    /// While it is set.
    private var number: UInt32?

    /// Nil when the server counts no time without input, or has no alarms.
    init?(_ connection: XConnection) {
        counter = baton_x_idle_counter(connection.raw)
        guard counter != 0 else { return nil }
        self.connection = connection
    }

    /// Rings once, when the time without input falls to so many milliseconds, which it must be above now.
    func set(below milliseconds: UInt64) {
        clear()
        let new = xcb_generate_id(connection.raw)
        baton_x_tell_input(connection.raw, new, counter, UInt32(clamping: milliseconds))
        connection.flush()
        number = new
    }

    func clear() {
        if let number { baton_x_forget_alarm(connection.raw, number) }
        number = nil
    }
}
