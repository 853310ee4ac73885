import CXCB
import Glibc

/// A connection to an X server, for the one thread that made it.
///
/// Unlike Xlib, the library never ends the process: once the server is gone, requests do nothing and replies are nil.
package final class XConnection {
    let raw: OpaquePointer
    let screens: [xcb_screen_t]
    /// The first of the two events by which the server tells that monitors have changed.
    private var monitorEvents: CInt?
    /// The server's own present.
    static let now = xcb_timestamp_t(XCB_CURRENT_TIME)

    /// Nil when there is no server or it does not let us in. Blocks.
    package init?(_ address: XAddress) {
        // Writing to a server that is gone must not end the process; that signal goes to the writing thread.
        var brokenPipe = sigset_t()
        sigemptyset(&brokenPipe)
        sigaddset(&brokenPipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
        guard let raw = Self.connect(address) else { return nil }
        guard xcb_connection_has_error(raw) == 0, let setup = xcb_get_setup(raw) else {
            xcb_disconnect(raw)
            return nil
        }
        var screens: [xcb_screen_t] = []
        var next = xcb_setup_roots_iterator(setup)
        while next.rem > 0, let screen = next.data {
            screens.append(screen.pointee)
            xcb_screen_next(&next)
        }
        self.raw = raw
        self.screens = screens
    }

    deinit { xcb_disconnect(raw) }

    private static func connect(_ address: XAddress) -> OpaquePointer? {
        guard let cookie = address.cookie() else { return xcb_connect(address.display, nil) }
        var name = XAddress.cookieName.utf8.map { CChar(bitPattern: $0) }
        var data = cookie.map { CChar(bitPattern: $0) }
        return name.withUnsafeMutableBufferPointer { name in
            data.withUnsafeMutableBufferPointer { data in
                var authority = xcb_auth_info_t(
                    namelen: CInt(clamping: name.count), name: name.baseAddress,
                    datalen: CInt(clamping: data.count), data: data.baseAddress)
                return xcb_connect_to_display_with_auth_info(address.display, &authority, nil)
            }
        }
    }

    /// Of the first screen, in pixels.
    var size: (width: Int, height: Int)? {
        screens.first.map { (Int($0.width_in_pixels), Int($0.height_in_pixels)) }
    }

    /// The keys that the server knows: the first, and how many; nil: it says nothing sensible.
    var keys: (first: xcb_keycode_t, count: UInt8)? {
        guard let setup = xcb_get_setup(raw)?.pointee, setup.max_keycode >= setup.min_keycode,
            case let count = setup.max_keycode - setup.min_keycode, count < .max
        else { return nil }
        return (setup.min_keycode, count + 1)
    }

    /// The symbols of those keys, one key's after the other's.
    struct Keymap {
        let first: xcb_keycode_t
        let symbolsPerKey: UInt8
        let symbols: [xcb_keysym_t]
    }

    /// Nil when the server does not answer.
    func keymap() -> Keymap? {
        guard let keys,
            let reply = xcb_get_keyboard_mapping_reply(
                raw, xcb_get_keyboard_mapping(raw, keys.first, keys.count), nil)
        else { return nil }
        defer { free(reply) }
        let symbols = UnsafeBufferPointer(
            start: xcb_get_keyboard_mapping_keysyms(reply),
            count: Int(xcb_get_keyboard_mapping_keysyms_length(reply)))
        return Keymap(first: keys.first, symbolsPerKey: reply.pointee.keysyms_per_keycode, symbols: Array(symbols))
    }

    /// The answer to what was asked of a window: whether it is on the screen.
    func isViewable(_ asked: xcb_get_window_attributes_cookie_t) -> Bool {
        guard let reply = xcb_get_window_attributes_reply(raw, asked, nil) else { return false }
        defer { free(reply) }
        return UInt32(reply.pointee.map_state) == XCB_MAP_STATE_VIEWABLE.rawValue
    }

    /// What the numbers of all that a client has begin with, from one of them.
    func base(of resource: UInt32) -> UInt32 { resource & ~(xcb_get_setup(raw)?.pointee.resource_id_mask ?? 0) }

    /// How long ago the server last saw input of any kind; nil: it lacks the extension for that (MIT-SCREEN-SAVER).
    var idle: Duration? {
        guard let root = screens.first?.root else { return nil }
        let milliseconds = baton_x_idle(raw, root)
        return milliseconds < 0 ? nil : .milliseconds(milliseconds)
    }

    var isBroken: Bool { xcb_connection_has_error(raw) != 0 }

    var descriptor: CInt { xcb_get_file_descriptor(raw) }

    func flush() { xcb_flush(raw) }

    /// Waits until the server has done all that was asked of it; false when it is gone.
    func catchUp() -> Bool {
        guard let reply = xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil) else { return false }
        free(reply)
        return true
    }

    /// The number of a name, which is made when the server does not have it.
    func atom(_ name: String) -> xcb_atom_t? {
        let cookie = xcb_intern_atom(raw, 0, UInt16(clamping: name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(raw, cookie, nil) else { return nil }
        defer { free(reply) }
        return reply.pointee.atom
    }

    /// From now on `nextEvent` tells when the monitors of this root window change, as far as the server knows of monitors.
    func watchMonitors(of root: xcb_window_t) {
        let first = baton_x_watch_monitors(raw, root)
        if first > 0 { monitorEvents = first }
    }

    /// The next event that is here already.
    func nextEvent() -> XEvent? {
        while let event = xcb_poll_for_event(raw) {
            defer { free(event) }
            let kind = CInt(event.pointee.response_type & 0x7f)
            if let first = monitorEvents, kind == first || kind == first + 1 { return .monitorsChanged }
            if let known = XEvent(event) { return known }
        }
        return nil
    }
}

/// The events that the cover minds.
enum XEvent {
    case exposed(xcb_window_t)
    case obscured(xcb_window_t)
    /// Where on that window.
    case pressed(xcb_window_t, x: Int16, y: Int16)
    /// With the modifiers that were held.
    case typed(xcb_keycode_t, state: UInt16)
    /// A window came, or moved up or down.
    case stirred(xcb_window_t)
    case resized(xcb_window_t, width: UInt16, height: UInt16)
    case monitorsChanged

    init?(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let bytes = UnsafeRawPointer(event)
        switch CInt(event.pointee.response_type & 0x7f) {
        case XCB_EXPOSE:
            self = .exposed(bytes.load(as: xcb_expose_event_t.self).window)
        case XCB_BUTTON_PRESS:
            let press = bytes.load(as: xcb_button_press_event_t.self)
            self = .pressed(press.event, x: press.event_x, y: press.event_y)
        case XCB_KEY_PRESS:
            let press = bytes.load(as: xcb_key_press_event_t.self)
            self = .typed(press.detail, state: press.state)
        case XCB_VISIBILITY_NOTIFY:
            let notice = bytes.load(as: xcb_visibility_notify_event_t.self)
            guard UInt32(notice.state) != XCB_VISIBILITY_UNOBSCURED.rawValue else { return nil }
            self = .obscured(notice.window)
        case XCB_MAP_NOTIFY:
            self = .stirred(bytes.load(as: xcb_map_notify_event_t.self).window)
        case XCB_REPARENT_NOTIFY:
            self = .stirred(bytes.load(as: xcb_reparent_notify_event_t.self).window)
        case XCB_CIRCULATE_NOTIFY:
            self = .stirred(bytes.load(as: xcb_circulate_notify_event_t.self).window)
        case XCB_CONFIGURE_NOTIFY:
            let notice = bytes.load(as: xcb_configure_notify_event_t.self)
            self = .resized(notice.window, width: notice.width, height: notice.height)
        default: return nil
        }
    }
}
