import BusTesting
public import CXCB
import Glibc

/// Another program on the display.
public final class XClient {
    public static let red: UInt32 = 0xff0000
    private let raw: OpaquePointer
    private let screen: xcb_screen_t

    public init(_ display: String) throws {
        guard let raw = xcb_connect(display, nil) else { throw TestingError("no memory") }
        guard xcb_connection_has_error(raw) == 0, let screen = xcb_setup_roots_iterator(xcb_get_setup(raw)).data else {
            xcb_disconnect(raw)
            throw TestingError("no display \(display)")
        }
        self.raw = raw
        self.screen = screen.pointee
    }

    deinit { xcb_disconnect(raw) }

    private func catchUp() {
        free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil))
    }

    /// Shows a red window, wherever it likes to be, and takes the focus.
    @discardableResult
    public func showWindow(isOnTop: Bool = true, x: Int16 = 100, y: Int16 = 100) -> xcb_window_t {
        let window = xcb_generate_id(raw)
        let mask =
            XCB_CW_BACK_PIXEL.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue | XCB_CW_EVENT_MASK.rawValue
        xcb_create_window(
            raw, 0, window, screen.root, x, y, 200, 100, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue),
            screen.root_visual, mask, [Self.red, isOnTop ? 1 : 0, XCB_EVENT_MASK_KEY_PRESS.rawValue])
        xcb_map_window(raw, window)
        xcb_set_input_focus(raw, UInt8(XCB_INPUT_FOCUS_POINTER_ROOT.rawValue), window, 0)
        catchUp()
        return window
    }

    /// Gives a window another title.
    public func name(_ window: xcb_window_t, _ title: String) {
        xcb_change_property(
            raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, XCB_ATOM_WM_NAME.rawValue, XCB_ATOM_STRING.rawValue, 8,
            UInt32(title.utf8.count), Array(title.utf8))
        catchUp()
    }

    public func raise(_ window: xcb_window_t) {
        xcb_configure_window(
            raw, window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue), [XCB_STACK_MODE_ABOVE.rawValue])
        catchUp()
    }

    /// How many pixels of each colour the whole screen has.
    public func picture() throws -> [UInt32: Int] {
        let cookie = xcb_get_image(
            raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), screen.root, 0, 0, screen.width_in_pixels,
            screen.height_in_pixels, 0xffff_ffff)
        guard let reply = xcb_get_image_reply(raw, cookie, nil) else { throw TestingError("no picture") }
        defer { free(reply) }
        let bytes = UnsafeRawBufferPointer(
            start: xcb_get_image_data(reply), count: Int(xcb_get_image_data_length(reply)))
        var counts: [UInt32: Int] = [:]
        for pixel in bytes.bindMemory(to: UInt32.self) { counts[pixel & 0xffffff, default: 0] += 1 }
        return counts
    }

    /// The key codes that came to this program's windows until now.
    public func keys() -> [UInt8] {
        catchUp()
        var keys: [UInt8] = []
        while let event = xcb_poll_for_event(raw) {
            defer { free(event) }
            if CInt(event.pointee.response_type & 0x7f) == XCB_KEY_PRESS { keys.append(event.pointee.pad0) }
        }
        return keys
    }

    /// Takes the keyboard as an open menu does; false when another has it.
    public func takeKeyboard() -> Bool {
        let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let reply = xcb_grab_keyboard_reply(raw, xcb_grab_keyboard(raw, 0, screen.root, 0, mode, mode), nil)
        defer { free(reply) }
        return reply?.pointee.status == UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue)
    }

    public func leaveKeyboard() {
        xcb_ungrab_keyboard(raw, 0)
        catchUp()
    }

    private func atom(_ name: String) -> xcb_atom_t {
        let reply = xcb_intern_atom_reply(raw, xcb_intern_atom(raw, 0, UInt16(name.utf8.count), name), nil)
        defer { free(reply) }
        return reply?.pointee.atom ?? 0
    }

    public func isOwned(_ selection: String) -> Bool {
        let reply = xcb_get_selection_owner_reply(raw, xcb_get_selection_owner(raw, atom(selection)), nil)
        defer { free(reply) }
        return reply?.pointee.owner ?? 0 != 0
    }

    public func fillCutBuffer(_ number: Int, _ text: String) {
        // 31: STRING.
        xcb_change_property(
            raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), screen.root, atom("CUT_BUFFER\(number)"), 31, 8,
            UInt32(text.utf8.count), Array(text.utf8))
        catchUp()
    }

    public func hasCutBuffer(_ number: Int) -> Bool {
        let cookie = xcb_get_property(raw, 0, screen.root, atom("CUT_BUFFER\(number)"), 0, 0, 0)
        let reply = xcb_get_property_reply(raw, cookie, nil)
        defer { free(reply) }
        return reply?.pointee.type ?? 0 != 0
    }
}
