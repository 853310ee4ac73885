import CWayland
import Glibc

/// Pointer, touch screen and keyboard of a seat, as far as they press something of ours. For the thread of its connection.
final class WaylandSeat {
    enum Press {
        /// On a surface of ours, in its own coordinates.
        case point(surface: UnsafeRawPointer, x: Double, y: Double)
        case key(LockKey)
    }

    // All go before the seat.
    private var seat: WaylandObject?
    private var pointer: WaylandObject?
    private var touch: WaylandObject?
    private var keyboard: WaylandObject?
    private let connection: WaylandConnection
    private let pressed: (Press) -> Void
    /// What its keys are.
    private var keys: WaylandKeys?
    /// Where the pointer is; nil: on no surface of ours.
    private var place: (surface: UnsafeRawPointer, x: Double, y: Double)?

    /// Nil without memory.
    init?(_ raw: OpaquePointer?, on connection: WaylandConnection, pressed: @escaping (Press) -> Void) {
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
        keyboard = nil
    }

    private func adopt(_ capabilities: UInt32) {
        guard let seat else { return }
        if capabilities & WL_SEAT_CAPABILITY_POINTER.rawValue == 0 {
            (pointer, place) = (nil, nil)
        } else if pointer == nil {
            pointer = WaylandObject(
                wl_seat_get_pointer(seat.raw), on: connection, destroy: wl_pointer_destroy
            ) { [weak self] in self?.point($0, $1) }
        }
        if capabilities & WL_SEAT_CAPABILITY_TOUCH.rawValue == 0 {
            touch = nil
        } else if touch == nil {
            touch = WaylandObject(
                wl_seat_get_touch(seat.raw), on: connection, destroy: wl_touch_destroy
            ) { [pressed] event, arguments in
                // `down`: a serial, the time, the surface, the finger, where.
                guard event == 0, let surface = arguments[2].o else { return }
                pressed(
                    .point(
                        surface: UnsafeRawPointer(surface), x: wl_fixed_to_double(arguments[4].f),
                        y: wl_fixed_to_double(arguments[5].f)))
            }
        }
        if capabilities & WL_SEAT_CAPABILITY_KEYBOARD.rawValue == 0 {
            keyboard = nil
        } else if keyboard == nil {
            keyboard = WaylandObject(
                wl_seat_get_keyboard(seat.raw), on: connection, destroy: wl_keyboard_destroy
            ) { [weak self] in self?.type($0, $1) }
        }
    }

    private func type(_ event: UInt32, _ arguments: WaylandObject.Arguments) {
        switch event {
        // `keymap`: its format, a file that is ours to close, its size.
        case 0:
            defer { close(arguments[1].h) }
            guard arguments[0].u == WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1.rawValue else { return }
            keys = WaylandKeys(arguments[1].h, size: arguments[2].u)
        // `key`: a serial, the time, the key, its state.
        case 3:
            guard arguments[3].u == WL_KEYBOARD_KEY_STATE_PRESSED.rawValue, let key = keys?.key(arguments[2].u) else {
                return
            }
            pressed(.key(key))
        // `modifiers`: a serial, those that are held, latched and locked, the layout.
        case 4:
            keys?.hold(
                depressed: arguments[1].u, latched: arguments[2].u, locked: arguments[3].u, layout: arguments[4].u)
        default: break
        }
    }

    private func point(_ event: UInt32, _ arguments: WaylandObject.Arguments) {
        switch event {
        // `enter`: a serial, the surface, where.
        case 0:
            place = arguments[1].o.map {
                (UnsafeRawPointer($0), wl_fixed_to_double(arguments[2].f), wl_fixed_to_double(arguments[3].f))
            }
        // `leave`
        case 1: place = nil
        // `motion`: the time, where.
        case 2:
            place?.x = wl_fixed_to_double(arguments[1].f)
            place?.y = wl_fixed_to_double(arguments[2].f)
        // `button`, with its state last.
        case 3:
            guard arguments[3].u == WL_POINTER_BUTTON_STATE_PRESSED.rawValue, let place else { return }
            pressed(.point(surface: place.surface, x: place.x, y: place.y))
        default: break
        }
    }
}
