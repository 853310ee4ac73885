import CWayland

/// The surfaces that hide everything else, one for each of the compositor's outputs. For the thread of its connection.
///
/// It asks for little at a time: what is wanted meanwhile waits until the compositor has done what it was asked for, so one that
/// hangs is not filled with requests.
final class WaylandCover {
    private let connection: WaylandConnection
    private let style: CoverStyle
    private var registry: WaylandObject?
    private var compositor: WaylandObject?
    private var memory: WaylandObject?
    private var shell: WaylandObject?
    private var lockManager: WaylandObject?
    /// The compositor shows nothing but our surfaces; after the objects that need it.
    private var sessionLock: WaylandSessionLock?
    /// Is to end, and the compositor has not yet said whether it holds.
    private var endingLock: WaylandSessionLock?
    private var panes: [UInt32: WaylandPane] = [:]
    private var seats: [UInt32: WaylandSeat] = [:]
    /// Nil: nothing is to be covered.
    private var face: CoverFace?
    /// While the compositor has not yet done what it was asked for.
    private var catchingUp: WaylandObject?
    private var isStale = false

    /// Nil without memory.
    init?(_ connection: WaylandConnection, _ style: CoverStyle) {
        self.connection = connection
        self.style = style
        registry = connection.registry { [weak self] in
            self?.add($0, $1, $2)
        } removed: { [weak self] in
            self?.remove($0)
        }
        if registry == nil { return nil }
        catchUp()
    }

    /// Whether the compositor has said what it has; then it can be covered, or never will be.
    var isIntroduced: Bool { catchingUp == nil }

    /// Whether the compositor has what this needs.
    var canCover: Bool { compositor != nil && memory != nil && shell != nil }

    /// Whether all that is wanted stands, as far as it will: the compositor has done all it was asked for.
    var isSettled: Bool {
        catchingUp == nil && !isStale && (panes.isEmpty || isComplete || sessionLock?.isRefused == true)
            && sessionLock?.isPending != true && endingLock?.isPending != true
    }

    /// Whether the compositor keeps a lock when its program is gone.
    var canLast: Bool { lockManager != nil }

    /// Whether every output is covered with what is wanted.
    var isShown: Bool { face != nil && !panes.isEmpty && isSettled && sessionLock?.holds != false }

    /// The compositor itself keeps it when this program is gone.
    var lasts: Bool { isShown && sessionLock != nil }

    private var isComplete: Bool { panes.values.allSatisfy { $0.shows(face) } }

    func show(_ face: CoverFace) {
        self.face = face
        // The program that had locked the session may be gone.
        if sessionLock?.isRefused == true { endSessionLock() }
        if style.isLock, sessionLock == nil, let manager = lockManager {
            sessionLock = WaylandSessionLock(manager.raw, on: connection) { [weak self] in self?.update() }
            if sessionLock != nil { for pane in panes.values { pane.hide() } }
        }
        // The compositor may have closed one, for reasons of its own.
        for pane in panes.values { pane.mayTryAgain() }
        update()
    }

    func hide() {
        face = nil
        endSessionLock()
        update()
    }

    private func endSessionLock() {
        guard let ending = sessionLock else { return }
        sessionLock = nil
        // Its surfaces may go only with it, or a frame would show none.
        ending.end()
        endingLock = ending
        for pane in panes.values { pane.hide() }
    }

    private func add(_ name: UInt32, _ interface: String, _ version: UInt32) {
        guard let registry = registry?.raw else { return }
        switch interface {
        case "wl_compositor":
            compositor = WaylandObject(
                baton_bind_compositor(registry, name), on: connection, destroy: wl_compositor_destroy)
        case "wl_shm":
            memory = WaylandObject(baton_bind_shm(registry, name), on: connection, destroy: wl_shm_destroy)
        case "zwlr_layer_shell_v1":
            shell = WaylandObject(
                baton_bind_layer_shell(registry, name, version), on: connection, destroy: baton_leave_layer_shell)
        case "ext_session_lock_manager_v1":
            lockManager = WaylandObject(
                baton_bind_lock_manager(registry, name), on: connection, destroy: baton_leave_lock_manager)
        case "wl_output":
            let output = WaylandObject(
                baton_bind_output(registry, name, version), on: connection, destroy: baton_leave_output)
            guard let output else { return }
            panes[name] = WaylandPane(output, style, on: connection) { [weak self] in self?.update() }
            update()
        case "wl_seat":
            seats[name] = WaylandSeat(baton_bind_seat(registry, name), on: connection) { [weak self] in self?.hear($0) }
        default: break
        }
    }

    private func remove(_ name: UInt32) {
        seats[name] = nil
        if panes.removeValue(forKey: name) != nil { update() }
    }

    private func hear(_ press: WaylandSeat.Press) {
        switch press {
        case .key(let key): style.type(face, key)
        case .point(let surface, let x, let y):
            guard let screen = panes.values.lazy.compactMap({ $0.size(of: surface) }).first else { return }
            style.press(face, atX: x, y, onScreen: screen)
        }
    }

    /// Asks for what is wanted and not there yet.
    private func update() {
        isStale = true
        guard catchingUp == nil, let compositor, let memory, let shell else { return }
        isStale = false
        for pane in panes.values {
            if let face {
                pane.show(
                    face, compositor: compositor.raw, memory: memory.raw, shell: shell.raw, lock: sessionLock)
            } else {
                pane.hide()
            }
        }
        catchUp()
    }

    private func catchUp() {
        catchingUp = connection.caughtUp { [weak self] in
            guard let self else { return }
            catchingUp = nil
            if isStale { update() }
        }
    }
}
