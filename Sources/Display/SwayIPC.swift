import FoundationEssentials
import Glibc
package import LinuxSystem

/// Requests to sway, which takes them on a socket beside the one for windows (sway-ipc(7)). Each goes over a connection of its own.
package struct SwayIPC: Sendable {
    /// A keyboard as sway knows it.
    package struct Keyboard: Codable, Sendable, Equatable {
        /// Vendor, product and name.
        package var identifier: String
        /// What its layouts call themselves.
        package var layouts: [String]
        /// Which of them is used.
        package var active: Int
    }

    /// What sway is asked for, by its number in the protocol.
    private enum Kind: UInt32 {
        case runCommand = 0
        case getInputs = 100
    }

    private struct Outcome: Decodable {
        var success: Bool
    }

    private struct Input: Decodable {
        var identifier: String
        var type: String
        var layouts: [String]?
        var active: Int?

        enum CodingKeys: String, CodingKey {
            case identifier, type
            case layouts = "xkb_layout_names"
            case active = "xkb_active_layout_index"
        }
    }

    private static let magic = Array("i3-ipc".utf8)
    /// Bytes of an answer.
    private static let most = 1 << 20

    private let path: String

    /// Nil: what serves that display is not sway. Blocks.
    ///
    /// - Parameter compositor: The process that serves the display. A socket of another process is not asked: programs of the session
    ///   can make one.
    init?(environment: [String: String], compositor: Int32) {
        var places = [environment["SWAYSOCK"]].compactMap(\.self)
        if let folder = environment["XDG_RUNTIME_DIR"] {
            places.append("\(folder)/sway-ipc.\(getuid()).\(compositor).sock")
        }
        let place = places.first { place in
            Descriptor.connected(to: place).flatMap { SessionDisplay.peer(of: $0.raw) } == compositor
        }
        guard let place else { return nil }
        path = place
    }

    /// Has sway run a command; false: it did not do so.
    package func run(_ command: String, limit: TimeLimit) async -> Bool {
        guard let results: [Outcome] = await ask(.runCommand, command, limit) else { return false }
        return !results.isEmpty && results.allSatisfy(\.success)
    }

    /// Nil: sway does not answer.
    package func keyboards(limit: TimeLimit) async -> [Keyboard]? {
        guard let inputs: [Input] = await ask(.getInputs, "", limit) else { return nil }
        return inputs.filter { $0.type == "keyboard" }.map {
            Keyboard(
                identifier: $0.identifier, layouts: $0.layouts ?? [], active: $0.active ?? 0)
        }
    }

    private func ask<Answer: Decodable & Sendable>(_ kind: Kind, _ text: String, _ limit: TimeLimit) async -> Answer? {
        let answer = await OwnThread.run(limit: limit) { [path] in Self.answer(at: path, kind, text, limit) }
        return (answer ?? nil).flatMap { try? JSONDecoder().decode(Answer.self, from: Data($0)) }
    }

    /// The magic word, the length of what follows and the kind, in the machine's own order of bytes, and then that.
    private static func answer(at path: String, _ kind: Kind, _ text: String, _ limit: TimeLimit) -> [UInt8]? {
        guard let socket = Descriptor.connected(to: path) else { return nil }
        let payload = Array(text.utf8)
        var request = magic
        for number in [UInt32(clamping: payload.count), kind.rawValue] {
            withUnsafeBytes(of: number) { request += $0 }
        }
        request += payload
        let sent = request.withUnsafeBytes { send(socket.raw, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard sent == request.count, let header = bytes(magic.count + 8, socket, limit),
            Array(header.prefix(magic.count)) == magic
        else { return nil }
        let count = header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: magic.count, as: UInt32.self) }
        guard count <= most else { return nil }
        return bytes(Int(count), socket, limit)
    }

    private static func bytes(_ count: Int, _ socket: Descriptor, _ limit: TimeLimit) -> [UInt8]? {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while received.count < count {
            var item = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
            if poll(&item, 1, limit.milliseconds(cap: 100)) <= 0 {
                if limit.isOver { return nil }
                continue
            }
            let found = recv(socket.raw, &buffer, min(buffer.count, count - received.count), 0)
            guard found > 0 else { return nil }
            received += buffer.prefix(found)
        }
        return received
    }
}
