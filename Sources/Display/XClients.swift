import CXCB
import Glibc
import LinuxSystem

/// The programs that are connected to an X server, and those that have left it windows and the like to keep.
///
/// A client that ends can have the server keep what it made (XSetCloseDownMode(3)). A window of which a picture is the background
/// is shown then without any program.
struct XClients: Equatable, Sendable {
    struct Client: Hashable {
        /// What the numbers of its resources begin with.
        var base: UInt32
        /// Nil: the server does not know it, since it is on another machine or in a namespace.
        var pid: Int32?

        /// The process that connected has ended, though a child of it may have taken over the connection.
        var isGone: Bool { pid.map { ProcessRecord(pid: $0)?.isZombie ?? true } ?? false }
    }

    let all: Set<Client>

    /// Nil: the server does not say.
    init?(_ connection: XConnection) {
        var found = [baton_x_client](repeating: baton_x_client(), count: 1024)
        let count = baton_x_clients(connection.raw, &found, found.count)
        guard count >= 0, count <= found.count else { return nil }
        all = Set(
            found.prefix(count).map { client in
                Client(base: client.base, pid: Int32(exactly: client.pid).flatMap { $0 > 0 ? $0 : nil })
            })
    }

    /// Removes what programs have left that were not there before and have ended.
    ///
    /// - Returns: How many programs those were, and of how many something is left. Nil: the server does not say.
    static func removeLeft(since earlier: XClients, _ connection: XConnection) -> (removed: Int, left: Int)? {
        // So that the server has seen who is gone. What is kept for a while only is removed for all at once.
        guard connection.catchUp(), connection.catchUp() else { return nil }
        xcb_kill_client(connection.raw, XCB_KILL_ALL_TEMPORARY.rawValue)
        guard let gone = gone(since: earlier, connection) else { return nil }
        if gone.isEmpty { return (0, 0) }
        let windows = connection.screens.flatMap { children(of: $0.root, connection) }
        for client in gone {
            let ids = windows.filter { connection.base(of: $0) == client.base }
            // A window is enough. What has none on the screen may have others, or pictures: their numbers count up from the first.
            let candidates = ids.isEmpty ? (0..<tried).map { client.base | $0 } : ids
            for id in candidates { xcb_kill_client(connection.raw, id) }
        }
        // One that has only just ended may still be on the server's list.
        for attempt in 1...Self.looks {
            guard connection.catchUp(), let left = Self.gone(since: earlier, connection) else { return nil }
            if left.isEmpty || attempt == Self.looks { return (gone.subtracting(left).count, left.count) }
            _ = poll(nil, 0, 50)
        }
        return nil
    }

    private static let looks = 10

    /// A client has 2^21 numbers, at least 2^18.
    private static let tried: UInt32 = 4096

    private static func gone(since earlier: XClients, _ connection: XConnection) -> Set<Client>? {
        XClients(connection).map { $0.all.subtracting(earlier.all).filter(\.isGone) }
    }

    private static func children(of window: xcb_window_t, _ connection: XConnection) -> [xcb_window_t] {
        guard let reply = xcb_query_tree_reply(connection.raw, xcb_query_tree(connection.raw, window), nil) else {
            return []
        }
        defer { free(reply) }
        return Array(
            UnsafeBufferPointer(
                start: xcb_query_tree_children(reply), count: Int(xcb_query_tree_children_length(reply))))
    }
}
