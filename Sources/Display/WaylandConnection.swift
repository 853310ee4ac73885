import CLinux
import CWayland
import Glibc
import LinuxSystem

/// A connection to a Wayland compositor, for the one thread that made it.
///
/// The library ends neither the process nor the thread: once the compositor is gone, requests do nothing and no event comes.
final class WaylandConnection {
    let raw: OpaquePointer

    /// Nil when there is no compositor. Blocks.
    init?(_ address: WaylandAddress) {
        // The library takes the descriptor and closes it.
        guard let socket = Descriptor.connected(to: address.path), case let own = baton_duplicate(socket.raw), own >= 0,
            let raw = wl_display_connect_to_fd(own)
        else { return nil }
        self.raw = raw
    }

    // Objects hold their connection, so the last of them is gone.
    deinit { wl_display_disconnect(raw) }

    /// Tells what the compositor has, by its number there, its interface and its version, and what is there no more. Nil without memory.
    func registry(
        added: @escaping (_ name: UInt32, _ interface: String, _ version: UInt32) -> Void,
        removed: @escaping (_ name: UInt32) -> Void
    ) -> WaylandObject? {
        WaylandObject(wl_display_get_registry(raw), on: self, destroy: wl_registry_destroy) { event, arguments in
            switch event {
            case 0:
                guard let interface = arguments[1].s else { return }
                added(arguments[0].u, String(cString: interface), arguments[2].u)
            case 1: removed(arguments[0].u)
            default: break
            }
        }
    }

    /// Tells when the compositor has done all that it was asked for. Nil without memory.
    func caughtUp(_ done: @escaping () -> Void) -> WaylandObject? {
        WaylandObject(wl_display_sync(raw), on: self, destroy: wl_callback_destroy) { _, _ in done() }
    }

    /// The compositor is gone, or refused a request.
    var isBroken: Bool { wl_display_get_error(raw) != 0 }

    /// Sends what was requested, sleeps until there is something to do, and hands out the events that came.
    func turn(_ orders: CoverOrders, milliseconds: CInt) {
        while wl_display_prepare_read(raw) != 0 {
            guard wl_display_dispatch_pending(raw) >= 0 else { return }
        }
        // A compositor that reads nothing leaves no room.
        let hasMore = wl_display_flush(raw) < 0 && errno == EAGAIN
        let found = orders.sleep(
            wl_display_get_fd(raw), for: hasMore ? POLLIN | POLLOUT : POLLIN, milliseconds: milliseconds)
        // Whether it hung up is told by reading.
        if found & ~POLLOUT != 0 { wl_display_read_events(raw) } else { wl_display_cancel_read(raw) }
        wl_display_dispatch_pending(raw)
    }
}

/// One of the compositor's objects, which goes with this.
final class WaylandObject {
    typealias Arguments = UnsafeMutablePointer<wl_argument>

    let raw: OpaquePointer
    private let connection: WaylandConnection
    private let destroy: (OpaquePointer) -> Void
    private var hear: ((_ event: UInt32, Arguments) -> Void)?

    /// Nil without memory.
    init?(
        _ raw: OpaquePointer?, on connection: WaylandConnection, destroy: @escaping (OpaquePointer) -> Void,
        hear: ((_ event: UInt32, Arguments) -> Void)? = nil
    ) {
        guard let raw else { return nil }
        self.raw = raw
        self.connection = connection
        self.destroy = destroy
        self.hear = hear
        guard hear != nil else { return }
        // The proxy goes in `deinit`, on the thread that hands out events: none comes to an object that is no more.
        let context = Unmanaged.passUnretained(self).toOpaque()
        wl_proxy_add_dispatcher(
            raw,
            { context, _, event, _, arguments in
                if let context, let arguments {
                    let object = Unmanaged<WaylandObject>.fromOpaque(context).takeUnretainedValue()
                    object.hear?(event, arguments)
                }
                return 0
            }, context, nil)
    }

    deinit { destroy(raw) }
}
