import CWayland

/// Pointer and touch screen of a seat, as far as they press something of ours. For the thread of its connection.
final class WaylandSeat {
    // Both go before the seat.
    private var seat: WaylandObject?
    private var pointer: WaylandObject?
    private var touch: WaylandObject?
    private let connection: WaylandConnection
    private let pressed: () -> Void

    /// Nil without memory.
    init?(_ raw: OpaquePointer?, on connection: WaylandConnection, pressed: @escaping () -> Void) {
        self.connection = connection
        self.pressed = pressed
        seat = WaylandObject(raw, on: connection, destroy: wl_seat_destroy) { [weak self] event, arguments in
            // `capabilities`
            if event == 0 { self?.adopt(arguments[0].u) }
        }
        if seat == nil { return nil }
    }

    deinit {
        pointer = nil
        touch = nil
    }

    private func adopt(_ capabilities: UInt32) {
        guard let seat else { return }
        if capabilities & WL_SEAT_CAPABILITY_POINTER.rawValue == 0 {
            pointer = nil
        } else if pointer == nil {
            pointer = WaylandObject(
                wl_seat_get_pointer(seat.raw), on: connection, destroy: wl_pointer_destroy
            ) { [pressed] event, arguments in
                // `button`, with its state last.
                if event == 3, arguments[3].u == WL_POINTER_BUTTON_STATE_PRESSED.rawValue { pressed() }
            }
        }
        if capabilities & WL_SEAT_CAPABILITY_TOUCH.rawValue == 0 {
            touch = nil
        } else if touch == nil {
            touch = WaylandObject(
                wl_seat_get_touch(seat.raw), on: connection, destroy: wl_touch_destroy
            ) { [pressed] event, _ in
                // `down`
                if event == 0 { pressed() }
            }
        }
    }
}
