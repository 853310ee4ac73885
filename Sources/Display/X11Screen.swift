import LinuxSystem
public import Logging

/// The screens of an X server.
public final class X11Screen: Screen, PanelScreen {
    public let kind = "x11"
    private let orders: CoverOrders
    private let thread: XCoverThread
    private let stream: LockKeyStream

    /// Nil when there is no such display or it does not let us in.
    public convenience init?(_ address: XAddress, logger: Logger? = nil) async {
        await self.init(address, .whole(LockKeyStream()), logger: logger)
    }

    init?(_ address: XAddress, _ style: CoverStyle, logger: Logger?) async {
        stream = style.stream ?? LockKeyStream()
        guard let orders = CoverOrders() else { return nil }
        let thread = XCoverThread(orders, style, logger: logger)
        self.orders = orders
        self.thread = thread
        let isReady = await CoverOrders.answer { answer in
            if !OwnThread.start({ thread.run(address, ready: answer) }) { answer(false) }
        }
        if !isReady { return nil }
    }

    deinit { orders.stop() }

    /// True also while another program still holds keyboard or pointer: see `holdsInput`.
    public func cover(_ text: String) async -> Bool { await orders.ask(.cover(.lines(text))) }

    public func lock(_ face: LockFace) async -> Bool { await orders.ask(.cover(.lock(face))) }

    func count(_ lines: CountedLines) async -> Bool { await orders.ask(.count(lines)) }

    public var lockLasts: Bool { true }

    public var lockKeys: AsyncStream<LockKey> { stream.keys }

    public var isCoveredBefore: Bool { thread.isCoveredBefore }

    public func uncover() async { _ = await orders.ask(.uncover) }

    public var isLost: Bool { orders.isOver }

    /// Whether keyboard and pointer are ours. Another program may hold them when the cover comes, as an open menu does;
    /// they are then taken as soon as it lets go.
    public var holdsInput: Bool { thread.hasInput }
}
