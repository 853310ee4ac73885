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
    private var panes: [UInt32: WaylandPane] = [:]
    private var seats: [UInt32: WaylandSeat] = [:]
    /// Nil: nothing is to be covered.
    private var text: String?
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
    var isSettled: Bool { catchingUp == nil && !isStale && (panes.isEmpty || isComplete) }

    /// Whether every output is covered with what is wanted.
    var isShown: Bool { text != nil && !panes.isEmpty && isSettled }

    private var isComplete: Bool { panes.values.allSatisfy { $0.shows(text) } }

    func show(_ text: String) {
        self.text = text
        // The compositor may have closed one, for reasons of its own.
        for pane in panes.values { pane.mayTryAgain() }
        update()
    }

    func hide() {
        text = nil
        update()
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
        case "wl_output":
            let output = WaylandObject(
                baton_bind_output(registry, name, version), on: connection, destroy: baton_leave_output)
            guard let output else { return }
            panes[name] = WaylandPane(output, style, on: connection) { [weak self] in self?.update() }
            update()
        case "wl_seat":
            // What hides everything hears of nothing.
            guard case .panel = style else { return }
            seats[name] = WaylandSeat(baton_bind_seat(registry, name), on: connection) { [style] in style.press() }
        default: break
        }
    }

    private func remove(_ name: UInt32) {
        seats[name] = nil
        if panes.removeValue(forKey: name) != nil { update() }
    }

    /// Asks for what is wanted and not there yet.
    private func update() {
        isStale = true
        guard catchingUp == nil, let compositor, let memory, let shell else { return }
        isStale = false
        for pane in panes.values {
            if let text {
                pane.show(text, compositor: compositor.raw, memory: memory.raw, shell: shell.raw)
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
