import CLinux
import Glibc
import Logging
import Synchronization

/// The thread on which all of the cover's talk with the X server happens.
///
/// It sleeps until the server or the agent has something to say, and ends with the connection.
final class CoverThread: Sendable {
    enum Order: Sendable { case cover(String), uncover }

    private struct Item {
        var order: Order
        var answer: @Sendable (Bool) -> Void
    }

    private struct State {
        var items: [Item] = []
        var isOver = false
        var hasInput = false
    }

    private let state = Mutex(State())
    private let ends: (read: Descriptor, write: Descriptor)
    private let logger: Logger?

    init?(logger: Logger?) {
        guard let ends = Descriptor.pipe() else { return nil }
        self.ends = ends
        self.logger = logger
    }

    /// Whether keyboard and pointer are ours.
    var hasInput: Bool { state.withLock { $0.hasInput } }

    /// The answer comes once; false when the server is gone.
    func add(_ order: Order, _ answer: @escaping @Sendable (Bool) -> Void) {
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

    /// Connects, says whether that went well, and serves until stopped or the server is gone. Blocks.
    func run(_ address: XAddress, ready: (Bool) -> Void) {
        guard let connection = XConnection(address), let cover = XCover(connection) else {
            stop()
            ready(false)
            return
        }
        ready(true)
        serve(connection, cover)
        if connection.isBroken { logger?.warning("The X server is gone: nothing is covered any more") }
        let left = state.withLock { state in
            state.isOver = true
            state.hasInput = false
            defer { state.items = [] }
            return state.items
        }
        for item in left { item.answer(false) }
    }

    private func serve(_ connection: XConnection, _ cover: XCover) {
        var attempts = 0
        while !connection.isBroken {
            while let event = connection.nextEvent() { cover.mind(event) }
            let (items, isOver) = state.withLock { state in
                defer { state.items = [] }
                return (state.items, state.isOver)
            }
            for item in items {
                let isDone: Bool
                switch item.order {
                case .cover(let text):
                    isDone = cover.show(text)
                    attempts = 0
                    if isDone && cover.wantsInput {
                        logger?.notice("Covered, but another program holds keyboard or pointer: trying on")
                    }
                case .uncover: isDone = cover.hide()
                }
                note(cover)
                item.answer(isDone)
            }
            if isOver { return }
            // Replies may have brought events along; the socket is quiet about those.
            while let event = connection.nextEvent() { cover.mind(event) }
            connection.flush()
            sleep(connection, cover.wantsInput ? (attempts < 200 ? 25 : 250) : -1)
            if cover.wantsInput {
                attempts += attempts < 200 ? 1 : 0
                cover.grab()
                if !cover.wantsInput { logger?.notice("Keyboard and pointer are taken") }
                note(cover)
            }
        }
    }

    private func note(_ cover: XCover) {
        state.withLock { $0.hasInput = cover.isShown && !cover.wantsInput }
    }

    /// - Parameter milliseconds: The end of another program's hold on keyboard and pointer announces itself nowhere.
    private func sleep(_ connection: XConnection, _ milliseconds: CInt) {
        var items = [
            pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ends.read.raw, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&items, 2, milliseconds) > 0, items.last?.revents != 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(ends.read.raw, &bytes, bytes.count)
    }
}
