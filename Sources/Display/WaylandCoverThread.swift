import Glibc
import LinuxSystem
import Logging

/// The thread on which all of the cover's talk with the compositor happens.
///
/// It sleeps until the compositor or the agent has something to say, and ends with the connection.
struct WaylandCoverThread: Sendable {
    let orders: CoverOrders
    let style: CoverStyle
    let logger: Logger?

    private struct Asked {
        var item: CoverOrders.Item
        /// A caller waits no longer.
        var limit = TimeLimit(CoverOrders.patience)
    }

    /// Connects, says whether there can be a cover, and serves until stopped or the compositor is gone. Blocks.
    func run(_ address: WaylandAddress, ready: (Bool) -> Void) {
        defer { orders.refuse() }
        // Before any caller is told that there can be a cover: the first one would wait for it.
        CoverPicture.warmUp()
        guard let connection = WaylandConnection(address), let cover = WaylandCover(connection, style),
            introduce(connection, cover), cover.canCover
        else {
            ready(false)
            return
        }
        orders.canLast = cover.canLast
        ready(true)
        serve(connection, cover)
        if connection.isBroken { logger?.warning("The Wayland compositor is gone: nothing is covered any more") }
    }

    private func introduce(_ connection: WaylandConnection, _ cover: WaylandCover) -> Bool {
        let limit = TimeLimit(CoverOrders.patience)
        while !cover.isIntroduced {
            if connection.isBroken || limit.isOver { return false }
            connection.turn(orders, milliseconds: limit.milliseconds(cap: 1000))
        }
        return true
    }

    private func serve(_ connection: WaylandConnection, _ cover: WaylandCover) {
        var asked: [Asked] = []
        var count = PanelCount()
        defer { for one in asked { one.item.answer(false) } }
        while !connection.isBroken {
            let (items, isOver) = orders.take()
            if isOver { return }
            for item in items {
                asked.append(Asked(item: item))
                if let face = count.face(for: item.order) { cover.show(face) } else { cover.hide() }
            }
            if let face = count.next() { cover.show(face) }
            if cover.isSettled {
                orders.lasts = cover.lasts
                for one in asked { one.item.answer(Self.isDone(one.item.order, cover)) }
                asked = []
            }
            while let first = asked.first, first.limit.isOver {
                first.item.answer(false)
                asked.removeFirst()
            }
            connection.turn(orders, milliseconds: asked.first?.limit.milliseconds(cap: 1000) ?? count.pause())
        }
    }

    /// Of several orders the last holds; a cover with another line is one too.
    private static func isDone(_ order: CoverOrders.Order, _ cover: WaylandCover) -> Bool {
        switch order {
        case .cover, .count: cover.isShown
        case .uncover: true
        }
    }
}
