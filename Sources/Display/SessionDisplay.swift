import Glibc
public import LinuxSystem
public import Logging
package import Vocabulary

/// What kind of display the session has, and what the agent can do on it.
///
/// Supported: X11, Wayland under wlroots compositors and KWin.
public struct SessionDisplay: Sendable {
    /// `x11`, `wayland`, or empty without a display.
    public let kind: String
    /// Nil where there is no cover: then the browser's start page serves as one.
    public let screen: (any Screen)?
    /// Of the X server's first screen, in pixels; nil without one.
    package let size: (width: Int, height: Int)?
    private let wayland: WaylandAddress?
    private let x11: XAddress?

    /// - Parameter environment: The session's, with DISPLAY, XAUTHORITY, WAYLAND_DISPLAY and XDG_RUNTIME_DIR.
    public init(environment: [String: String], logger: Logger? = nil) async {
        wayland = WaylandAddress(environment: environment)
        x11 = XAddress(environment: environment)
        if let wayland {
            // X11 programs are then guests of XWayland, whose windows cover nothing of the session.
            kind = "wayland"
            screen = await WaylandScreen(wayland, logger: logger)
            size = nil
        } else if let x11 {
            kind = "x11"
            screen = await X11Screen(x11, logger: logger)
            size = await OwnThread.run { XConnection(x11)?.size } ?? nil
        } else {
            kind = ""
            screen = nil
            size = nil
        }
    }

    /// Has an X server overwrite what it freed of windows that are gone. A Wayland compositor gives no way to that.
    public func forgetWindows(limit: TimeLimit) async {
        guard let x11 else { return }
        _ = await XMemory.overwrite(at: x11, limit: limit)
    }

    /// A panel above everything else; nil where nothing can be above everything.
    ///
    /// - Parameter pressed: Called when it is clicked or touched.
    package func notice(logger: Logger? = nil, pressed: @escaping @Sendable () -> Void) -> ScreenNotice? {
        notice(.panel(pressed: pressed), logger)
    }

    /// A bar with a name and buttons; nil where nothing can be above everything, or the settings have none.
    ///
    /// - Parameter pressed: Called when a button is clicked or touched.
    package func bar(
        _ place: BarPlace, logger: Logger? = nil, pressed: @escaping @Sendable (BarPress) -> Void
    ) -> ScreenNotice? {
        place.edges.flatMap { notice(.bar($0, pressed: pressed), logger) }
    }

    private func notice(_ style: CoverStyle, _ logger: Logger?) -> ScreenNotice? {
        guard screen != nil else { return nil }
        return ScreenNotice { [wayland, x11] in
            if let wayland { return await WaylandScreen(wayland, style, logger: logger) }
            guard let x11 else { return nil }
            return await X11Screen(x11, style, logger: logger)
        }
    }

    /// Nil where the session's display is no X server: of the guests of XWayland none is looked at.
    ///
    /// - Parameter ignored: Users whom `change` lets in and out.
    package func keeper(ignoring ignored: [String]) -> XServerKeeper? {
        wayland == nil ? x11.map { XServerKeeper($0, ignoring: ignored) } : nil
    }

    /// Lets these users of the machine show windows, and those not any more. False: it could not be done.
    package func change(admit: [String], refuse: [String], limit: TimeLimit) async -> Bool {
        guard let x11 else { return false }
        return await XAccess.change(at: x11, admit: admit, refuse: refuse, limit: limit)
    }

    /// The process that serves the display, as its socket says; nil: there is none, or it is not on this machine.
    public func server() async -> Int32? {
        let (wayland, x11) = (wayland, x11)
        let limit = TimeLimit(.seconds(2))
        return await OwnThread.run(limit: limit) {
            if let wayland { return Descriptor.connected(to: wayland.path).flatMap { Self.peer(of: $0.raw) } }
            guard let connection = x11.flatMap(XConnection.init) else { return nil }
            return Self.peer(of: connection.descriptor)
        } ?? nil
    }

    /// Nil: the display is not sway's.
    package func sway(environment: [String: String]) async -> SwayIPC? {
        guard wayland != nil, let compositor = await server() else { return nil }
        let limit = TimeLimit(.seconds(2))
        return await OwnThread.run(limit: limit) { SwayIPC(environment: environment, compositor: compositor) } ?? nil
    }

    static func peer(of socket: CInt) -> Int32? {
        // Process, user and group, as unix(7) has it.
        var credentials = [Int32](repeating: 0, count: 3)
        var size = socklen_t(MemoryLayout<Int32>.size * credentials.count)
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, let pid = credentials.first,
            pid > 0
        else { return nil }
        return pid
    }

    /// How long ago a person touched keyboard or pointer; nil: the display does not say.
    public func idle() async -> Duration? {
        guard let x11 else { return nil }
        let limit = TimeLimit(.seconds(1))
        return await OwnThread.run(limit: limit) { XConnection(x11)?.idle } ?? nil
    }

    /// What tells how long there was no input.
    package func idleSource() async -> IdleSource {
        let limit = TimeLimit(.seconds(3))
        guard let wayland else { return await idle() == nil ? .nothing : .screenSaver }
        let found = await OwnThread.run(limit: limit) { WaylandRegistry.interfaces(at: wayland, limit: limit) }
        let offered = (found ?? nil) ?? [:]
        if let version = offered["ext_idle_notifier_v1"] { return version >= 2 ? .inputIdleNotify : .idleNotify }
        return offered["org_kde_kwin_idle"] == nil ? .nothing : .kwinIdle
    }

    /// - Parameters:
    ///   - after: How long without input before it is reported.
    ///   - start: What was before that, CLOCK_BOOTTIME in microseconds, does not count. On Wayland it is now.
    package func watchIdle(after: Duration, since start: UInt64) -> IdleWatch? {
        if let wayland { return IdleWatch(.wayland(wayland), after: after, since: start) }
        return x11.flatMap { IdleWatch(.x11($0), after: after, since: start) }
    }

    /// What does not work on this display and what to do, for before the first worker. The clipboard has a warning of its own.
    public func warnings() async -> [String] {
        guard let wayland else {
            if screen != nil { return [] }
            return [
                x11.map { "the X server \($0.display) cannot be reached: check DISPLAY and XAUTHORITY" }
                    ?? "the session has no display: neither DISPLAY nor WAYLAND_DISPLAY is set"
            ]
        }
        let limit = TimeLimit(.seconds(3))
        let offered = await OwnThread.run(limit: limit) { WaylandRegistry.interfaces(at: wayland, limit: limit) }
        guard let offered = offered ?? nil else {
            return ["the Wayland compositor does not answer at \(wayland.path)"]
        }
        let uncovered = screen == nil ? WaylandRegistry.uncovered(offered) : nil
        return [uncovered, WaylandRegistry.unsupported(offered)].compactMap(\.self)
    }
}
