import CXCB
import Glibc

/// Windows that outlive the program that made them: with what they hide, nothing is seen of it while no agent runs.
///
/// An X server keeps all that a client has if it asks for that (RetainPermanent in the X11 protocol), and who comes next can end it.
/// Which windows those are stands in a property of the root window, after the one that had the keyboard before.
final class XLeftover {
    private let connection: XConnection
    private let root: xcb_window_t?
    private let property: xcb_atom_t?
    /// Of a client before this one.
    private var windows: [xcb_window_t] = []
    private static let most: UInt32 = 16
    /// What had the keyboard before.
    private var focus: xcb_window_t?

    init(_ connection: XConnection) {
        self.connection = connection
        root = connection.screens.first?.root
        property = connection.atom("_BATON_COVER")
        guard let root, let property,
            let reply = xcb_get_property_reply(
                connection.raw,
                xcb_get_property(connection.raw, 0, root, property, XCB_ATOM_WINDOW.rawValue, 0, Self.most), nil)
        else { return }
        defer { free(reply) }
        guard reply.pointee.format == 32, let value = xcb_get_property_value(reply) else { return }
        let count = min(Int(xcb_get_property_value_length(reply)) / 4, Int(Self.most))
        let named = UnsafeBufferPointer(start: value.assumingMemoryBound(to: xcb_window_t.self), count: count)
        windows = named.dropFirst().filter {
            connection.isViewable(xcb_get_window_attributes(connection.raw, $0))
        }
        if !windows.isEmpty { focus = named.first }
    }

    /// It has not been there since if any program has ended it.
    var isThere: Bool { !windows.isEmpty }

    /// Ends what an earlier client left, with all that it had.
    func end() {
        for window in windows { xcb_kill_client(connection.raw, window) }
        windows = []
    }

    /// From now on these windows stay when this client goes; none: nothing does.
    func keep(_ windows: [xcb_window_t]) {
        guard let root, let property else { return }
        let mode = windows.isEmpty ? XCB_CLOSE_DOWN_DESTROY_ALL : XCB_CLOSE_DOWN_RETAIN_PERMANENT
        xcb_set_close_down_mode(connection.raw, UInt8(mode.rawValue))
        guard let first = windows.first else {
            xcb_delete_property(connection.raw, root, property)
            if let focus { give(focus) }
            focus = nil
            return
        }
        if focus == nil, let reply = xcb_get_input_focus_reply(connection.raw, xcb_get_input_focus(connection.raw), nil)
        {
            focus = reply.pointee.focus
            free(reply)
        }
        let named = [focus ?? 0] + windows
        xcb_change_property(
            connection.raw, UInt8(XCB_PROP_MODE_REPLACE.rawValue), root, property, XCB_ATOM_WINDOW.rawValue, 32,
            UInt32(clamping: named.count), named)
        give(first)
    }

    /// Of a window that is there no more, the server says so, and nothing changes.
    private func give(_ window: xcb_window_t) {
        xcb_set_input_focus(
            connection.raw, UInt8(XCB_INPUT_FOCUS_POINTER_ROOT.rawValue), window, XConnection.now)
    }
}
