import CWayland
import LinuxSystem

/// The idle time of a Wayland session, for the thread of its connection: idle when no seat has input.
final class WaylandIdle {
    private let connection: WaylandConnection
    private let after: UInt32
    private let report: (IdleWatch.Event) -> Void
    private var registry: WaylandObject?
    private var seats: [UInt32: WaylandObject] = [:]
    private var notifier: WaylandObject?
    private var kwin: WaylandObject?
    private var watches: [UInt32: WaylandObject] = [:]
    private var silent: Set<UInt32> = []
    private var isIdle = false
    /// Until the compositor has said what it has.
    private var introduction: WaylandObject?

    /// Blocks until stopped, or the compositor is gone. The compositor counts from now on.
    static func run(
        _ address: WaylandAddress, after: UInt64, _ orders: CoverOrders, report: @escaping (IdleWatch.Event) -> Void
    ) {
        guard let connection = WaylandConnection(address), let idle = WaylandIdle(connection, after, report) else {
            return
        }
        while !connection.isBroken, !orders.take().isOver { connection.turn(orders, milliseconds: -1) }
        _ = idle
    }

    private init?(_ connection: WaylandConnection, _ after: UInt64, _ report: @escaping (IdleWatch.Event) -> Void) {
        self.connection = connection
        self.after = UInt32(clamping: after)
        self.report = report
        registry = connection.registry { [weak self] in
            self?.add($0, $1, $2)
        } removed: { [weak self] in
            self?.remove($0)
        }
        introduction = connection.caughtUp { [weak self] in
            self?.introduction = nil
            self?.watchSeats()
        }
        if registry == nil || introduction == nil { return nil }
    }

    private func add(_ name: UInt32, _ interface: String, _ version: UInt32) {
        guard let registry = registry?.raw else { return }
        switch interface {
        case "wl_seat":
            seats[name] = WaylandObject(baton_bind_seat(registry, name), on: connection, destroy: wl_proxy_destroy)
        case "ext_idle_notifier_v1":
            notifier = WaylandObject(
                baton_bind_idle_notifier(registry, name, version), on: connection, destroy: baton_leave_idle)
        case "org_kde_kwin_idle":
            kwin = WaylandObject(baton_bind_kwin_idle(registry, name), on: connection, destroy: wl_proxy_destroy)
        default: return
        }
        watchSeats()
    }

    private func remove(_ name: UInt32) {
        seats[name] = nil
        watches[name] = nil
        silent.remove(name)
        settle()
    }

    private func watchSeats() {
        guard introduction == nil else { return }
        for (name, seat) in seats where watches[name] == nil {
            let raw =
                notifier.map { baton_watch_seat($0.raw, seat.raw, after) }
                ?? kwin.map { baton_watch_seat_by_kwin($0.raw, seat.raw, after) }
            guard let raw else { continue }
            watches[name] = WaylandObject(raw, on: connection, destroy: baton_leave_idle) { [weak self] event, _ in
                guard let self else { return }
                if event == UInt32(BATON_IDLED) { silent.insert(name) } else { silent.remove(name) }
                settle()
            }
        }
        // A seat that has come is not silent yet.
        settle()
    }

    private func settle() {
        let isSilent = !watches.isEmpty && silent.count == watches.count
        guard isSilent != isIdle else { return }
        isIdle = isSilent
        report(isSilent ? .idle(since: BootClock.now &- UInt64(after) &* 1000) : .active)
    }
}
