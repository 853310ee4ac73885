import Glibc
package import LinuxSystem

/// What bubblewrap tells of a sandbox that it makes, on its `--info-fd`.
package enum Bubblewrap {
    package static let program = "/usr/bin/bwrap"

    /// The process in `{"child-pid": 123, …}`, the first one of the sandbox; nil when bubblewrap ends first.
    package static func firstProcess(
        _ information: Descriptor, of outer: Child, limit: TimeLimit
    ) -> ProcessHandle? {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.contains(UInt8(ascii: "}")) {
            var items = [
                pollfd(fd: information.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: outer.descriptor.raw, events: Int16(POLLIN), revents: 0),
            ]
            poll(&items, 2, limit.milliseconds(cap: 100))
            if items[0].revents & Int16(POLLIN) == 0 {
                if limit.isOver || items[1].revents != 0 { return nil }
                continue
            }
            let count = read(information.raw, &buffer, buffer.count)
            guard count > 0, text.count < 65536 else { return nil }
            text += buffer.prefix(count)
        }
        guard let pid = number(in: text), let process = ProcessHandle(pid: pid),
            ProcessRecord(pid: pid)?.parent == outer.pid
        else { return nil }
        return process
    }

    private static func number(in text: [UInt8]) -> Int32? {
        let key = Array("\"child-pid\"".utf8)
        guard let start = text.indices.first(where: { text[$0...].starts(with: key) }) else { return nil }
        let digits = text[start...].dropFirst(key.count).drop { !(48...57).contains($0) }.prefix {
            (48...57).contains($0)
        }
        return Int32(String(decoding: digits, as: UTF8.self))
    }
}
