import CLinux
import Glibc

/// The descriptors between the agent and a sandbox.
enum FirefoxChannel {
    static func pipe() -> (read: Descriptor, write: Descriptor)? {
        var raw: [CInt] = [-1, -1]
        guard baton_pipe(&raw, 0) == 0 else { return nil }
        return (Descriptor(owning: raw[0]), Descriptor(owning: raw[1]))
    }

    /// Two ends of a stream socket.
    static func pair() -> (Descriptor, Descriptor)? {
        var raw: [CInt] = [-1, -1]
        guard baton_socket_pair(&raw) == 0 else { return nil }
        return (Descriptor(owning: raw[0]), Descriptor(owning: raw[1]))
    }

    /// A pipe that holds a text and then ends; nil when it is longer than a pipe is.
    static func pipe(holding text: String) -> Descriptor? {
        guard let ends = pipe() else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.count <= 65_536 else { return nil }
        return write(ends.write.raw, bytes, bytes.count) == bytes.count ? ends.read : nil
    }

    /// Waits for one byte: false when the other side closed instead, or the limit is over.
    static func byte(from descriptor: Descriptor, limit: TimeLimit) async -> Bool {
        await OwnThread.run {
            var item = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
            while poll(&item, 1, limit.milliseconds(cap: 100)) <= 0 {
                if limit.isOver { return false }
            }
            var byte: UInt8 = 0
            return read(descriptor.raw, &byte, 1) == 1
        } ?? false
    }

    /// All that comes until the other side closes, at most 4 KiB.
    static func text(from descriptor: Descriptor, limit: TimeLimit) async -> String {
        await OwnThread.run {
            var bytes: [UInt8] = []
            while bytes.count < 4096, !limit.isOver {
                var item = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
                if poll(&item, 1, limit.milliseconds(cap: 100)) <= 0 { continue }
                var part = [UInt8](repeating: 0, count: 1024)
                let count = read(descriptor.raw, &part, part.count)
                if count <= 0 { break }
                bytes += part.prefix(count)
            }
            return String(decoding: bytes, as: UTF8.self)
        } ?? ""
    }
}

extension TimeLimit {
    var left: Duration { max(.zero, SuspendingClock.now.duration(to: deadline)) }
}
