import CXCB
import Glibc

/// The windows that hide everything else, or a panel above it, one for each of the server's screens. For the thread of its connection.
///
/// They are made beforehand, so that covering is one batch of requests.
final class XCover {
    private struct Pane {
        let window: xcb_window_t
        let root: xcb_window_t
        let pen: xcb_gcontext_t
        let depth: UInt8
        var width: UInt16
        var height: UInt16
    }

    private let connection: XConnection
    private let style: CoverStyle
    private var panes: [Pane]
    private var face = CoverFace.lines("")
    private var keys = XKeys()
    private let leftover: XLeftover
    private(set) var isShown = false
    private var hasKeyboard = false
    private var hasPointer = false

    /// Nil when the server has no screen or is gone.
    init?(_ connection: XConnection, _ style: CoverStyle) {
        self.connection = connection
        self.style = style
        // A picture of the lines may be larger than a request is without the server's extension for that.
        xcb_prefetch_maximum_request_length(connection.raw)
        leftover = XLeftover(connection)
        panes = connection.screens.map { Self.pane(connection.raw, $0) }
        guard !panes.isEmpty, connection.catchUp() else { return nil }
    }

    private static func pane(_ raw: OpaquePointer, _ screen: xcb_screen_t) -> Pane {
        let window = xcb_generate_id(raw)
        let events =
            XCB_EVENT_MASK_EXPOSURE.rawValue | XCB_EVENT_MASK_VISIBILITY_CHANGE.rawValue
            | XCB_EVENT_MASK_BUTTON_PRESS.rawValue
        // In the order of their bits. Override-redirect: no window manager has a say in it.
        let mask =
            XCB_CW_BACK_PIXEL.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue | XCB_CW_EVENT_MASK.rawValue
        xcb_create_window(
            raw, UInt8(XCB_COPY_FROM_PARENT), window, screen.root, 0, 0, screen.width_in_pixels,
            screen.height_in_pixels, 0, UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), screen.root_visual, mask,
            [screen.black_pixel, 1, events])
        let pen = xcb_generate_id(raw)
        let colours = XCB_GC_FOREGROUND.rawValue | XCB_GC_BACKGROUND.rawValue
        xcb_create_gc(raw, pen, window, colours, [screen.white_pixel, screen.black_pixel])
        listen(raw, screen.root, toChildren: false)
        return Pane(
            window: window, root: screen.root, pen: pen, depth: screen.root_depth, width: screen.width_in_pixels,
            height: screen.height_in_pixels)
    }

    /// Size changes of the root always, as another output may come at any time; its windows only while they matter.
    private static func listen(_ raw: OpaquePointer, _ root: xcb_window_t, toChildren: Bool) {
        let size = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
        let events = toChildren ? size | XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue : size
        xcb_change_window_attributes(raw, root, XCB_CW_EVENT_MASK.rawValue, [events])
    }

    /// What an earlier agent left is on the screen.
    var hasLeftover: Bool { leftover.isThere }

    /// Covers, or changes what is to be seen; false when the windows did not come up.
    func show(_ face: CoverFace) -> Bool {
        let wasLock = isShown && self.face.isLock
        self.face = face
        if wasLock, face.isLock {
            for pane in panes { draw(pane) }
            return connection.catchUp()
        }
        if face.isLock { keys = XKeys(connection) }
        for pane in panes {
            Self.listen(connection.raw, pane.root, toChildren: true)
            fit(pane)
            xcb_map_window(connection.raw, pane.window)
            // Of a window that was up already, the old line goes.
            xcb_clear_area(connection.raw, 0, pane.window, 0, 0, 0, 0)
        }
        let asked = panes.map { xcb_get_window_attributes(connection.raw, $0.window) }
        connection.flush()
        // Each reply is taken, or it would stay in the library.
        let areUp = !asked.map(connection.isViewable).contains(false)
        isShown = areUp
        grab()
        if areUp, style.panel == nil { keep(face.isLock) }
        // Hidden is hidden; the words may come a moment later.
        for pane in panes { draw(pane) }
        return connection.catchUp() && areUp
    }

    /// A lock outlives this program: the server keeps its windows, and keys go to them, not to what lies below.
    private func keep(_ isKept: Bool) {
        leftover.end()
        leftover.keep(isKept ? panes.map(\.window) : [])
    }

    func hide() -> Bool {
        if style.panel == nil { keep(false) }
        isShown = false
        hasKeyboard = false
        hasPointer = false
        xcb_ungrab_keyboard(connection.raw, XConnection.now)
        xcb_ungrab_pointer(connection.raw, XConnection.now)
        for pane in panes {
            Self.listen(connection.raw, pane.root, toChildren: false)
            xcb_unmap_window(connection.raw, pane.window)
        }
        return connection.catchUp()
    }

    /// While it is shown and another program holds keyboard or pointer, as an open menu does.
    var wantsInput: Bool { isShown && style.panel == nil && !(hasKeyboard && hasPointer) }

    func grab() {
        guard wantsInput, let pane = panes.first else { return }
        let raw = connection.raw
        let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
        let keyboard = hasKeyboard ? nil : xcb_grab_keyboard(raw, 0, pane.window, XConnection.now, mode, mode)
        let pointer =
            hasPointer
            ? nil
            : xcb_grab_pointer(
                raw, 0, pane.window, UInt16(XCB_EVENT_MASK_BUTTON_PRESS.rawValue), mode, mode, pane.window, 0,
                XConnection.now)
        let taken = UInt8(XCB_GRAB_STATUS_SUCCESS.rawValue)
        if let keyboard {
            let reply = xcb_grab_keyboard_reply(raw, keyboard, nil)
            hasKeyboard = reply?.pointee.status == taken
            free(reply)
        }
        if let pointer {
            let reply = xcb_grab_pointer_reply(raw, pointer, nil)
            hasPointer = reply?.pointee.status == taken
            free(reply)
        }
    }

    /// Stays on top, and as large as the screen.
    func mind(_ event: XEvent) {
        switch event {
        case .exposed(let window):
            for pane in panes where pane.window == window { draw(pane) }
        case .obscured: raise()
        case .pressed(let window, let x, let y):
            guard isShown, let pane = panes.first(where: { $0.window == window }) else { return }
            style.press(face, atX: Double(x), Double(y), onScreen: (Int(pane.width), Int(pane.height)))
        case .typed(let code, let state):
            if isShown, let key = keys.key(code, state: state) { style.type(face, key) }
        case .stirred(let window): if !isOurs(window) { raise() }
        case .resized(let window, let width, let height):
            guard let index = panes.firstIndex(where: { $0.root == window }) else {
                if !isOurs(window) { raise() }
                return
            }
            panes[index].width = width
            panes[index].height = height
            fit(panes[index])
            xcb_clear_area(connection.raw, 1, panes[index].window, 0, 0, 0, 0)
        }
    }

    private func isOurs(_ window: xcb_window_t) -> Bool { panes.contains { $0.window == window } }

    private func raise() {
        guard isShown else { return }
        for pane in panes {
            xcb_configure_window(
                connection.raw, pane.window, UInt16(XCB_CONFIG_WINDOW_STACK_MODE.rawValue),
                [XCB_STACK_MODE_ABOVE.rawValue])
        }
    }

    private func fit(_ pane: Pane) {
        let mask =
            XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue | XCB_CONFIG_WINDOW_WIDTH.rawValue
            | XCB_CONFIG_WINDOW_HEIGHT.rawValue | XCB_CONFIG_WINDOW_STACK_MODE.rawValue
        let place = frame(of: pane)
        xcb_configure_window(
            connection.raw, pane.window, UInt16(mask),
            [place.x, place.y, place.width, place.height, XCB_STACK_MODE_ABOVE.rawValue])
    }

    private func frame(of pane: Pane) -> (x: UInt32, y: UInt32, width: UInt32, height: UInt32) {
        guard let panel = style.panel else { return (0, 0, UInt32(pane.width), UInt32(pane.height)) }
        let origin = panel.origin(onScreen: (pane.width, pane.height))
        return (UInt32(origin.x), UInt32(origin.y), UInt32(panel.width), UInt32(panel.height))
    }

    /// Of the depths that screens have today.
    private static func hasPixels(_ depth: UInt8) -> Bool { depth == 24 || depth == 32 }

    private func draw(_ pane: Pane) {
        guard Self.hasPixels(pane.depth) else { return }
        if let panel = style.panel {
            guard case .lines(let text) = face else { return }
            return paint(Int(panel.width), Int(panel.height), at: (0, 0), on: pane) { panel.draw(text, $0) }
        }
        let screen = (width: Int(pane.width), height: Int(pane.height))
        switch face {
        case .lines(let text): draw(text, screen, on: pane)
        case .lock(let lock): draw(lock, screen, on: pane)
        }
    }

    private func draw(_ lock: LockFace, _ screen: (width: Int, height: Int), on pane: Pane) {
        let layout = LockLayout(screen: screen)
        paint(layout.width, layout.height, at: (layout.left, layout.top), on: pane) {
            LockPicture.draw(
                lock, on: $0, width: layout.width, height: layout.height, layout, origin: (layout.left, layout.top))
        }
    }

    private func draw(_ text: String, _ screen: (width: Int, height: Int), on pane: Pane) {
        let height = CoverPicture.height(of: text, onScreen: screen.width, screen.height)
        paint(screen.width, height, at: (0, (screen.height - height) / 2), on: pane) {
            CoverPicture.draw(text, on: $0, width: screen.width, height: height, forScreen: screen)
        }
    }

    /// - Parameter draw: Draws on pixels of 32 bits, blue first, in rows without gaps; false: it could not.
    private func paint(
        _ width: Int, _ height: Int, at place: (x: Int, y: Int), on pane: Pane,
        _ draw: (UnsafeMutablePointer<UInt8>) -> Bool
    ) {
        guard width > 0, height > 0 else { return }
        var pixels = [UInt8](repeating: 0, count: width * 4 * height)
        let isDrawn = pixels.withUnsafeMutableBufferPointer { $0.baseAddress.map(draw) ?? false }
        if isDrawn { put(pixels, width, height, at: place, on: pane) }
    }

    /// In parts that are as large as the server takes them.
    private func put(_ pixels: [UInt8], _ width: Int, _ height: Int, at place: (x: Int, y: Int), on pane: Pane) {
        let row = width * 4
        let most = (Int(xcb_get_maximum_request_length(connection.raw)) * 4 - 64) / row
        guard most > 0 else { return }
        for first in stride(from: 0, to: height, by: most) {
            let rows = min(most, height - first)
            let part = Array(pixels[first * row..<(first + rows) * row])
            xcb_put_image(
                connection.raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), pane.window, pane.pen,
                UInt16(clamping: width), UInt16(clamping: rows), Int16(clamping: place.x),
                Int16(clamping: place.y + first),
                0, pane.depth,
                UInt32(clamping: part.count), part)
        }
    }
}
