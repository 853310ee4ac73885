import Glibc
import LinuxSystem

/// What a Wayland compositor offers, asked with the two requests for which no library is needed.
enum WaylandRegistry {
    /// The interfaces and their versions; nil when no compositor answers in time. Blocks.
    static func interfaces(at address: WaylandAddress, limit: TimeLimit) -> [String: UInt32]? {
        guard let socket = Descriptor.connected(to: address.path) else { return nil }
        // Object 1 is the display: `get_registry` makes object 2, and `sync` object 3, which speaks last.
        let words: [UInt32] = [1, 12 << 16 | 1, 2, 1, 12 << 16, 3]
        let sent = words.withUnsafeBytes { send(socket.raw, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard sent == words.count * 4 else { return nil }
        var received: [UInt8] = []
        var found: [String: UInt32] = [:]
        var buffer = [UInt8](repeating: 0, count: 4096)
        // A compositor has some fifty interfaces; a peer that sends more than this is not one.
        while found.count < 4096 {
            var item = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
            if poll(&item, 1, limit.milliseconds(cap: 100)) <= 0 {
                if limit.isOver { return nil }
                continue
            }
            let count = recv(socket.raw, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer.prefix(count)
            while let message = Message(taking: &received) {
                switch (message.object, message.event) {
                case (2, 0):
                    if let (name, version) = message.global { found[name] = version }
                case (3, 0): return found
                case (1, 0): return nil
                default: break
                }
            }
            if received.count > 65_536 { return nil }
        }
        return nil
    }

    /// Why the clipboard of a compositor that offers these cannot be looked at, and what to do; nil when it can.
    static func unsupported(_ offered: [String: UInt32]) -> String? {
        if offered["zwlr_data_control_manager_v1"] != nil || offered["ext_data_control_manager_v1"] != nil {
            return nil
        }
        return "\(name(offered)) gives no access to the clipboard (no data-control protocol): \(remedy)"
    }

    /// Why a screen that could not be had cannot be covered, and what to do.
    static func uncovered(_ offered: [String: UInt32]) -> String {
        let place = "the browser's start page takes the place of a cover"
        guard offered["zwlr_layer_shell_v1"] == nil else {
            return "the Wayland compositor did not answer when the agent started, and \(place): start the agent again"
        }
        return
            "\(name(offered)) does not let a client cover the screen (no layer shell, zwlr_layer_shell_v1), and \(place): \(remedy)"
    }

    private static let remedy = "use an X11 session, a wlroots compositor such as sway, or KWin"

    private static func name(_ offered: [String: UInt32]) -> String {
        offered["gtk_shell1"] != nil ? "GNOME's Wayland session" : "this Wayland compositor"
    }

    /// One message on the wire: object, event and length, then arguments of four bytes each.
    private struct Message {
        let object: UInt32
        let event: UInt32
        private let body: [UInt8]

        /// Nil when not all of it is here yet.
        init?(taking bytes: inout [UInt8]) {
            guard let object = Self.word(bytes[...], 0), let head = Self.word(bytes[...], 4) else { return nil }
            let length = Int(head >> 16)
            guard length >= 8, bytes.count >= length else { return nil }
            self.object = object
            event = head & 0xffff
            body = Array(bytes[8..<length])
            bytes.removeFirst(length)
        }

        /// The arguments of `wl_registry.global`: a number, the interface's name, its version.
        var global: (String, UInt32)? {
            guard let length = Self.word(body[...], 4), length > 0, length <= 256 else { return nil }
            let padded = (Int(length) + 3) & ~3
            guard let version = Self.word(body[...], 8 + padded) else { return nil }
            let name = body.dropFirst(8).prefix(Int(length) - 1)
            return (String(decoding: name, as: UTF8.self), version)
        }

        private static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32? {
            let four = bytes.dropFirst(offset).prefix(4)
            guard four.count == 4 else { return nil }
            return four.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        }
    }
}
