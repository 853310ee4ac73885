import CXCB
import Glibc

/// The windows that hide everything else, one for each of the server's screens, or panels above it, one for each monitor. For the thread
/// of its connection.
///
/// They are made beforehand, so that covering is one batch of requests.
final class XCover {
    struct Pane {
        let window: xcb_window_t
        let pen: xcb_gcontext_t
        let root: xcb_window_t
        let depth: UInt8
        /// On which it is drawn: for a panel one, for what hides everything all of the screen's.
        var monitors: [XMonitor]
    }

    /// One of the server's, as large as it is now.
    private struct Ground {
        let screen: xcb_screen_t
        var width: UInt16
        var height: UInt16
    }

    let connection: XConnection
    let style: CoverStyle
    private var grounds: [Ground]
    private var panes: [Pane] = []
    private(set) var face = CoverFace.lines("")
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
        grounds = connection.screens.map {
            Ground(screen: $0, width: $0.width_in_pixels, height: $0.height_in_pixels)
        }
        for ground in grounds {
            Self.listen(connection.raw, ground.screen.root, toChildren: false)
            connection.watchMonitors(of: ground.screen.root)
            panes += panes(on: ground)
        }
        guard !panes.isEmpty, connection.catchUp() else { return nil }
    }

    private func panes(on ground: Ground) -> [Pane] {
        let monitors = monitors(of: ground)
        return (style.panel == nil ? [monitors] : monitors.map { [$0] }).map { pane(on: ground.screen, $0) }
    }

    /// For panels those that have room for one: two panels that overlap would raise themselves above each other, again and again.
    private func monitors(of ground: Ground) -> [XMonitor] {
        let screen = (width: Int(ground.width), height: Int(ground.height))
        let all = XMonitor.all(connection, of: ground.screen.root, inScreen: screen)
        guard let panel = style.panel else { return all }
        let roomy = all.filter { $0.width >= Int(panel.width) && $0.height >= Int(panel.height) }
        return roomy.isEmpty ? XMonitor.sensible([], inScreen: screen) : roomy
    }

    private func pane(on screen: xcb_screen_t, _ monitors: [XMonitor]) -> Pane {
        let raw = connection.raw
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
        return Pane(window: window, pen: pen, root: screen.root, depth: screen.root_depth, monitors: monitors)
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
        for ground in grounds { Self.listen(connection.raw, ground.screen.root, toChildren: true) }
        for pane in panes {
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

    /// Draws other lines on the panels that are there, and waits for nothing.
    func change(_ face: CoverFace) {
        let last = self.face
        self.face = face
        draw(panes, over: last)
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
        for ground in grounds { Self.listen(connection.raw, ground.screen.root, toChildren: false) }
        for pane in panes { xcb_unmap_window(connection.raw, pane.window) }
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
            press(pane, atX: Int(x), Int(y))
        case .typed(let code, let state):
            if isShown, let key = keys.key(code, state: state) { style.type(face, key) }
        case .stirred(let window): if !isOurs(window) { raise() }
        case .resized(let window, let width, let height):
            guard let index = grounds.firstIndex(where: { $0.screen.root == window }) else {
                if !isOurs(window) { raise() }
                return
            }
            grounds[index].width = width
            grounds[index].height = height
            arrange(grounds[index])
        case .monitorsChanged: for ground in grounds { arrange(ground) }
        }
    }

    /// - Parameter x: On the window, as `y`.
    private func press(_ pane: Pane, atX x: Int, _ y: Int) {
        guard style.panel == nil else {
            return style.press(face, atX: Double(x), Double(y), onScreen: (0, 0))
        }
        guard let monitor = pane.monitors.first(where: { $0.holds(x, y) }) else { return }
        style.press(
            face, atX: Double(x - monitor.x), Double(y - monitor.y), onScreen: (monitor.width, monitor.height))
    }

    /// The screen has another size, or other monitors.
    private func arrange(_ ground: Ground) {
        let root = ground.screen.root
        let monitors = monitors(of: ground)
        if style.panel == nil {
            for index in panes.indices where panes[index].root == root {
                panes[index].monitors = monitors
                fit(panes[index])
                xcb_clear_area(connection.raw, 1, panes[index].window, 0, 0, 0, 0)
            }
            return
        }
        let old = panes.filter { $0.root == root }
        guard old.flatMap(\.monitors) != monitors else { return }
        let new = monitors.map { pane(on: ground.screen, [$0]) }
        panes = panes.filter { $0.root != root } + new
        if isShown {
            for pane in new {
                fit(pane)
                xcb_map_window(connection.raw, pane.window)
                draw(pane)
            }
        }
        for pane in old {
            xcb_free_gc(connection.raw, pane.pen)
            xcb_destroy_window(connection.raw, pane.window)
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
        guard let panel = style.panel, let monitor = pane.monitors.first else {
            let ground = grounds.first { $0.screen.root == pane.root }
            return (0, 0, UInt32(ground?.width ?? 1), UInt32(ground?.height ?? 1))
        }
        let origin = panel.origin(onScreen: (UInt16(clamping: monitor.width), UInt16(clamping: monitor.height)))
        return (
            UInt32(clamping: monitor.x + Int(origin.x)), UInt32(clamping: monitor.y + Int(origin.y)),
            UInt32(panel.width), UInt32(panel.height)
        )
    }
}
