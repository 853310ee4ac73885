import LinuxSystem
public import Logging
import Synchronization

/// The outputs of a Wayland compositor that has the layer shell (`zwlr_layer_shell_v1`): wlroots compositors, KWin.
///
/// The cover lies on the overlay layer, above full-screen windows. What it cannot hide: a program that brings a surface of its
/// own to that layer *later* is above it, as compositors stack them in the order in which they come and tell no client;
/// and what is being dragged at that instant, in some compositors. Each new cover comes on top of all that are there.
public final class WaylandScreen: Screen, PanelScreen {
    public let kind = "wayland"
    private let orders: CoverOrders
    private let stream: LockKeyStream
    /// With surfaces of its own, so that the one takes the other's place without a frame that shows what lies below. Nil: none was
    /// needed yet.
    private let lockOrders = Mutex<CoverOrders?>(nil)
    /// The compositor may still be locked by a program that is gone, as an agent that was killed.
    private let mayBeLocked: Mutex<Bool>
    private let address: WaylandAddress
    private let logger: Logger?

    /// Nil when no such compositor answers there.
    public convenience init?(_ address: WaylandAddress, logger: Logger? = nil) async {
        await self.init(address, .whole(LockKeyStream()), logger: logger)
    }

    init?(_ address: WaylandAddress, _ style: CoverStyle, logger: Logger?) async {
        stream = style.stream ?? LockKeyStream()
        self.address = address
        self.logger = logger
        guard let orders = await Self.begin(address, style, logger) else { return nil }
        self.orders = orders
        mayBeLocked = Mutex(orders.canLast && style.panel == nil)
    }

    private static func begin(_ address: WaylandAddress, _ style: CoverStyle, _ logger: Logger?) async -> CoverOrders? {
        guard let orders = CoverOrders() else { return nil }
        let thread = WaylandCoverThread(orders: orders, style: style, logger: logger)
        let isReady = await CoverOrders.answer { answer in
            if !OwnThread.start({ thread.run(address, ready: answer) }) { answer(false) }
        }
        return isReady ? orders : nil
    }

    deinit {
        orders.stop()
        lockOrders.withLock { $0 }?.stop()
    }

    /// True once the compositor has taken the cover of every output, so that each later picture of theirs shows it.
    ///
    /// It takes the place of a lock, though the lock is stronger: a locked compositor draws no other window, and the next start page is
    /// painted below the cover.
    public func cover(_ text: String) async -> Bool {
        // What is not covered stays locked.
        guard await orders.ask(.cover(.lines(text))) else { return lockLasts }
        await endLock()
        return true
    }

    func count(_ lines: CountedLines) async -> Bool { await orders.ask(.count(lines)) }

    public func uncover() async {
        _ = await orders.ask(.uncover)
        await endLock()
    }

    public func lock(_ face: LockFace) async -> Bool {
        if let running = lockOrders.withLock({ $0 }), !running.isOver { return await running.ask(.cover(.lock(face))) }
        guard let new = await Self.begin(address, .lock(stream), logger) else { return false }
        lockOrders.withLock { $0 = new }
        let isLocked = await new.ask(.cover(.lock(face)))
        if isLocked { mayBeLocked.withLock { $0 = false } }
        // What covers already, as for a sign-out, is not above it.
        if isLocked { _ = await orders.ask(.uncover) }
        return isLocked
    }

    /// Where the compositor has ext-session-lock-v1.
    public var lockLasts: Bool { lockOrders.withLock { $0 }?.lasts ?? false }

    /// An agent that was killed while it had locked a compositor of that kind has left it so. Whether one has is told to no program, except
    /// to one that locks it itself.
    public var isCoveredBefore: Bool { mayBeLocked.withLock { $0 } }

    private func endLock() async {
        if let running = lockOrders.withLock({ exchange(&$0, with: nil) }) {
            let wasKept = running.lasts
            _ = await running.ask(.uncover)
            // Its connection broke: the compositor has kept the lock.
            if running.isOver, wasKept { mayBeLocked.withLock { $0 = true } }
            running.stop()
        }
        guard mayBeLocked.withLock({ exchange(&$0, with: false) }) else { return }
        guard let next = await Self.begin(address, .lock(stream), logger) else { return }
        // Refused where another program has it locked.
        _ = await next.ask(.cover(.lines("")))
        _ = await next.ask(.uncover)
        next.stop()
    }

    public var lockKeys: AsyncStream<LockKey> { stream.keys }

    public var isLost: Bool { orders.isOver }
}
