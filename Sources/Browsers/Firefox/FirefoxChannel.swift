import CLinux
import Glibc
import LinuxSystem

/// The descriptors between the agent and a sandbox.
enum FirefoxChannel {
    /// A pipe that holds a text and then ends; nil when it is longer than a pipe is.
    static func pipe(holding text: String) -> Descriptor? {
        guard let ends = Descriptor.pipe() else { return nil }
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
}
