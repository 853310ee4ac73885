import LinuxSystem
public import Logging

/// The outputs of a Wayland compositor that has the layer shell (`zwlr_layer_shell_v1`): wlroots compositors, KWin.
///
/// The cover lies on the overlay layer, above full-screen windows. What it cannot hide: a program that brings a surface of its
/// own to that layer *later* is above it, as compositors stack them in the order in which they come and tell no client;
/// and what is being dragged at that instant, in some compositors. Each new cover comes on top of all that are there.
public final class WaylandScreen: Screen {
    public let kind = "wayland"
    private let orders: CoverOrders

    /// Nil when no such compositor answers there.
    public convenience init?(_ address: WaylandAddress, logger: Logger? = nil) async {
        await self.init(address, .whole, logger: logger)
    }

    init?(_ address: WaylandAddress, _ style: CoverStyle, logger: Logger?) async {
        guard let orders = CoverOrders() else { return nil }
        self.orders = orders
        let thread = WaylandCoverThread(orders: orders, style: style, logger: logger)
        let isReady = await CoverOrders.answer { answer in
            if !OwnThread.start({ thread.run(address, ready: answer) }) { answer(false) }
        }
        if !isReady { return nil }
    }

    deinit { orders.stop() }

    /// True once the compositor has taken the cover of every output, so that each later picture of theirs shows it.
    public func cover(_ text: String) async -> Bool { await orders.ask(.cover(text)) }

    public func uncover() async { _ = await orders.ask(.uncover) }

    public var isLost: Bool { orders.isOver }
}
