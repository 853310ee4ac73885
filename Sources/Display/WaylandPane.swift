import CWayland

/// What hides one output. For the thread of its connection.
final class WaylandPane {
    private struct Size: Equatable {
        var width: UInt32
        var height: UInt32
    }

    private let connection: WaylandConnection
    private let output: WaylandObject
    private let style: CoverStyle
    /// Called when it is to be shown anew.
    private let changed: () -> Void
    // The surface must outlast what makes it a cover, as the picture must outlast the surface.
    private var picture: WaylandObject?
    private var surface: WaylandObject?
    private var role: WaylandObject?
    /// What the compositor wants it to be.
    private var wanted: Size?
    /// The compositor's number for that, until it is acknowledged.
    private var serial: UInt32?
    private var shown: (face: CoverFace, size: Size)?
    private var isClosed = false

    init(
        _ output: WaylandObject, _ style: CoverStyle, on connection: WaylandConnection, changed: @escaping () -> Void
    ) {
        self.output = output
        self.style = style
        self.connection = connection
        self.changed = changed
    }

    deinit { hide() }

    /// Whether all of it was asked for; nil: that nothing is shown.
    func shows(_ face: CoverFace?) -> Bool {
        guard let face else { return surface == nil }
        return !isClosed && serial == nil && shown.map { $0.face == face && $0.size == wanted } ?? false
    }

    /// Of the screen that a surface is on; nil: it is not this one's.
    func size(of surface: UnsafeRawPointer) -> (width: Int, height: Int)? {
        guard let own = self.surface, UnsafeRawPointer(own.raw) == surface, let size = shown?.size else { return nil }
        return (Int(size.width), Int(size.height))
    }

    func mayTryAgain() { isClosed = false }

    /// Takes the next step to where this is shown.
    ///
    /// - Parameter lock: That of the session, if this is to be a part of it.
    func show(
        _ face: CoverFace, compositor: OpaquePointer, memory: OpaquePointer, shell: OpaquePointer,
        lock: WaylandSessionLock?
    ) {
        if isClosed { return }
        guard let surface, role != nil else {
            start(compositor, shell, lock)
            return
        }
        guard let wanted, !shows(face) else { return }
        if let serial, let role {
            if lock == nil {
                baton_acknowledge_size(role.raw, serial)
            } else {
                baton_acknowledge_lock_size(role.raw, serial)
            }
            self.serial = nil
        }
        if shown.map({ $0.face != face || $0.size != wanted }) ?? true,
            let next = WaylandPicture.make(
                face, style, width: wanted.width, height: wanted.height, memory, connection)
        {
            wl_surface_attach(surface.raw, next.raw, 0, 0)
            wl_surface_damage(surface.raw, 0, 0, .max, .max)
            shown = (face, wanted)
            wl_surface_commit(surface.raw)
            // Only now: the one before was on the screen.
            picture = next
        } else {
            wl_surface_commit(surface.raw)
        }
    }

    func hide() {
        role = nil
        surface = nil
        picture = nil
        wanted = nil
        serial = nil
        shown = nil
    }

    private func start(_ compositor: OpaquePointer, _ shell: OpaquePointer, _ lock: WaylandSessionLock?) {
        hide()
        guard
            let surface = WaylandObject(
                wl_compositor_create_surface(compositor), on: connection, destroy: wl_surface_destroy)
        else { return }
        self.surface = surface
        if let lock {
            // No commit before the size is known: the protocol forbids it.
            role = WaylandObject(
                lock.cover(surface.raw, output.raw), on: connection, destroy: baton_leave_lock_surface
            ) { [weak self] event, arguments in
                guard let self, event == 0 else { return }
                serial = arguments[0].u
                wanted = Size(width: arguments[1].u, height: arguments[2].u)
                changed()
            }
            return
        }
        let raw =
            if let panel = style.panel {
                baton_make_notice(
                    shell, surface.raw, output.raw, "baton-notice", UInt32(panel.width), UInt32(panel.height),
                    panel.edges.rawValue, Int32(panel.margin))
            } else {
                baton_make_cover(shell, surface.raw, output.raw, "baton")
            }
        role = WaylandObject(raw, on: connection, destroy: baton_leave_layer_surface) { [weak self] event, arguments in
            self?.hear(event, arguments)
        }
        // Without a picture: the compositor answers with the size.
        wl_surface_commit(surface.raw)
    }

    private func hear(_ event: UInt32, _ arguments: WaylandObject.Arguments) {
        switch Int(event) {
        case BATON_LAYER_SURFACE_CONFIGURE:
            serial = arguments[0].u
            wanted = Size(width: arguments[1].u, height: arguments[2].u)
        case BATON_LAYER_SURFACE_CLOSED:
            hide()
            // Not at once again: a compositor that closes each would have no end.
            isClosed = true
        default: return
        }
        changed()
    }
}
