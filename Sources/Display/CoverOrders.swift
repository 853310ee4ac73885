import Glibc
import LinuxSystem
import Synchronization

/// What a screen's own thread is asked to do, and the bell that wakes it.
final class CoverOrders: Sendable {
    enum Order: Sendable {
        case cover(CoverFace)
        /// For a panel.
        case count(CountedLines)
        case uncover
    }

    struct Item: Sendable {
        var order: Order
        var answer: @Sendable (Bool) -> Void
    }

    private struct State {
        var items: [Item] = []
        var isOver = false
        var lasts = false
        var canLast = false
    }

    private let state = Mutex(State())
    private let ends: (read: Descriptor, write: Descriptor)
    /// A display that does not answer for so long is taken for one that cannot be covered.
    static let patience = Duration.seconds(5)

    init?() {
        guard let ends = Descriptor.pipe() else { return nil }
        self.ends = ends
    }

    /// False also when no answer comes in time, or when the task is cancelled; what was asked for is done nevertheless.
    func ask(_ order: Order) async -> Bool {
        await Self.answer { add(order, $0) }
    }

    /// The answer to what is asked; false when none comes in time.
    static func answer(_ ask: (@escaping @Sendable (Bool) -> Void) -> Void) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        ask {
            answer.yield($0)
            answer.finish()
        }
        return await answers.first(within: patience) ?? false
    }

    /// The answer comes once; false when the display is gone.
    private func add(_ order: Order, _ answer: @escaping @Sendable (Bool) -> Void) {
        let isTaken = state.withLock { state in
            if state.isOver { return false }
            state.items.append(Item(order: order, answer: answer))
            return true
        }
        if isTaken { ring() } else { answer(false) }
    }

    func stop() {
        state.withLock { $0.isOver = true }
        ring()
    }

    private func ring() {
        var byte: UInt8 = 0
        _ = write(ends.write.raw, &byte, 1)
    }

    /// For the thread: what came since it asked last, and whether nothing more will.
    func take() -> (items: [Item], isOver: Bool) {
        state.withLock { state in
            defer { state.items = [] }
            return (state.items, state.isOver)
        }
    }

    /// What stands now outlives this program; the thread says so.
    var lasts: Bool {
        get { state.withLock { $0.lasts } }
        set { state.withLock { $0.lasts = newValue } }
    }

    /// The display keeps a lock when this program is gone; the thread says so before it serves.
    var canLast: Bool {
        get { state.withLock { $0.canLast } }
        set { state.withLock { $0.canLast = newValue } }
    }

    /// No thread performs them any more.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// For the thread, at its end: answers all that is still asked, and whatever will be.
    func refuse() {
        state.withLock { $0.isOver = true }
        for item in take().items { item.answer(false) }
    }

    /// For the thread: sleeps until the display has something to say, the bell rings, or the time is over (-1: never).
    ///
    /// - Returns: What `poll` says of the display's descriptor.
    func sleep(_ descriptor: CInt, for events: CInt = POLLIN, milliseconds: CInt) -> CInt {
        var items = [
            pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0),
            pollfd(fd: ends.read.raw, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&items, 2, milliseconds) > 0 else { return 0 }
        if items.last?.revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            _ = read(ends.read.raw, &bytes, bytes.count)
        }
        return CInt(items.first?.revents ?? 0)
    }
}
