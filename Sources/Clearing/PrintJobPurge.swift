import Glibc
import LinuxSystem

/// The IPP request that cancels a job, if it has not ended, and removes its record and documents.
struct PrintJobPurge: Sendable {
    let job: Int32
    let user: String

    private enum Tag: UInt8 {
        case operation = 0x01
        case end = 0x03
        case boolean = 0x22
        case name = 0x42
        case uri = 0x45
        case charset = 0x47
        case language = 0x48
    }

    /// RFC 8010: version 2.0, Cancel-Job, request 1, then attributes in the order that RFC 8011 wants.
    var body: [UInt8] {
        var bytes: [UInt8] = [2, 0, 0, 8, 0, 0, 0, 1, Tag.operation.rawValue]
        func add(_ tag: Tag, _ name: String, _ value: [UInt8]) {
            bytes.append(tag.rawValue)
            for text in [Array(name.utf8), value] {
                let text = text.prefix(1023)
                bytes += [UInt8(text.count >> 8), UInt8(text.count & 0xff)] + text
            }
        }
        add(.charset, "attributes-charset", Array("utf-8".utf8))
        add(.language, "attributes-natural-language", Array("en".utf8))
        add(.uri, "job-uri", Array("ipp://localhost/jobs/\(job)".utf8))
        add(.name, "requesting-user-name", Array(user.utf8))
        add(.boolean, "purge-job", [1])
        return bytes + [Tag.end.rawValue]
    }

    /// Sends it and waits until the answer is there; what it says is left to the next look. Blocks.
    func send(to path: String, limit: TimeLimit) {
        let body = body
        let head =
            "POST /jobs/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/ipp\r\n"
            + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        guard let socket = Descriptor.connected(to: path), write(Array(head.utf8) + body, to: socket, limit) else {
            return
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while wait(for: socket, POLLIN, limit), read(socket.raw, &buffer, buffer.count) > 0 {}
    }

    private func write(_ bytes: [UInt8], to socket: Descriptor, _ limit: TimeLimit) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard wait(for: socket, POLLOUT, limit) else { return false }
            let count = rest.withUnsafeBytes {
                Glibc.send(socket.raw, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0 && errno != EINTR && errno != EAGAIN {
                return false
            }
        }
        return true
    }

    private func wait(for socket: Descriptor, _ event: CInt, _ limit: TimeLimit) -> Bool {
        while !limit.isOver {
            var item = pollfd(fd: socket.raw, events: Int16(event), revents: 0)
            if poll(&item, 1, limit.milliseconds(cap: 100)) > 0 { return true }
        }
        return false
    }
}
