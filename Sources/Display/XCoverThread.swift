import Glibc
import Logging
import Synchronization

/// The thread on which all of the cover's talk with the X server happens.
///
/// It sleeps until the server or the agent has something to say, and ends with the connection.
final class XCoverThread: Sendable {
    private let orders: CoverOrders
    private let isHolding = Mutex(false)
    private let hasLeftover = Mutex(false)
    private let style: CoverStyle
    private let logger: Logger?

    init(_ orders: CoverOrders, _ style: CoverStyle, logger: Logger?) {
        self.orders = orders
        self.style = style
        self.logger = logger
    }

    /// Whether keyboard and pointer are ours.
    var hasInput: Bool { isHolding.withLock { $0 } }

    /// What an earlier agent left is on the screen.
    var isCoveredBefore: Bool { hasLeftover.withLock { $0 } }

    /// Connects, says whether that went well, and serves until stopped or the server is gone. Blocks.
    func run(_ address: XAddress, ready: (Bool) -> Void) {
        defer {
            isHolding.withLock { $0 = false }
            orders.refuse()
        }
        // Before any caller is told that there can be a cover: the first one would wait for it.
        CoverPicture.warmUp()
        guard let connection = XConnection(address), let cover = XCover(connection, style) else {
            ready(false)
            return
        }
        hasLeftover.withLock { $0 = cover.hasLeftover }
        ready(true)
        serve(connection, cover)
        if connection.isBroken { logger?.warning("The X server is gone: nothing is covered any more") }
    }

    private func serve(_ connection: XConnection, _ cover: XCover) {
        var attempts = 0
        var count = PanelCount()
        while !connection.isBroken {
            while let event = connection.nextEvent() { cover.mind(event) }
            let (items, isOver) = orders.take()
            for item in items {
                let isDone: Bool
                if let face = count.face(for: item.order) {
                    isDone = cover.show(face)
                    attempts = 0
                    if isDone && cover.wantsInput {
                        logger?.notice("Covered, but another program holds keyboard or pointer: trying on")
                    }
                } else {
                    isDone = cover.hide()
                }
                note(cover)
                item.answer(isDone)
            }
            if isOver { return }
            if let face = count.next() { cover.change(face) }
            // Replies may have brought events along; the socket is quiet about those.
            while let event = connection.nextEvent() { cover.mind(event) }
            connection.flush()
            // The end of another program's hold on keyboard and pointer announces itself nowhere.
            let pause: CInt = cover.wantsInput ? (attempts < 200 ? 25 : 250) : count.pause()
            _ = orders.sleep(connection.descriptor, milliseconds: pause)
            if cover.wantsInput {
                attempts += attempts < 200 ? 1 : 0
                cover.grab()
                if !cover.wantsInput { logger?.notice("Keyboard and pointer are taken") }
                note(cover)
            }
        }
    }

    private func note(_ cover: XCover) {
        hasLeftover.withLock { $0 = cover.hasLeftover }
        isHolding.withLock { $0 = cover.isShown && !cover.wantsInput }
    }
}
