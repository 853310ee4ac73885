import Glibc
import NIOCore

/// The other end of a connection on 127.0.0.1, as the kernel writes it: as it lies in memory.
struct LoopbackPeer: Hashable {
    let address: UInt32
    let port: UInt16

    init(address: UInt32, port: UInt16) {
        (self.address, self.port) = (address, port)
    }

    init?(_ address: SocketAddress) {
        var peer = in_addr()
        guard let text = address.ipAddress, inet_pton(AF_INET, text, &peer) == 1,
            let port = address.port.flatMap(UInt16.init(exactly:))
        else { return nil }
        self.init(address: peer.s_addr, port: port)
    }

    /// Whose each open connection to a port of 127.0.0.1 is; proc_pid_net(5), `/proc/net/tcp`.
    static func users(ofPort port: Int) -> [LoopbackPeer: uid_t] {
        let established = "01"
        let there =
            hexadecimal(INADDR_LOOPBACK.bigEndian, digits: 8) + ":" + hexadecimal(UInt32(clamping: port), digits: 4)
        // A socket for IPv6 may connect to IPv4 addresses, too, which it has mapped: ::ffff:127.0.0.1.
        let mapped = "0000000000000000\(hexadecimal(UInt32(0xffff).bigEndian, digits: 8))"
        var users: [LoopbackPeer: uid_t] = [:]
        for (file, prefix) in [("tcp", ""), ("tcp6", mapped)] {
            // Only what is connected to there: what a flood has closed leaves tens of thousands of other lines.
            forEachLine(of: "/proc/self/net/\(file)", with: " \(prefix)\(there) \(established) ") { line in
                let fields = line.split(separator: " ")
                guard fields.count > 7, let user = uid_t(fields[7]) else { return }
                let parts = fields[1].dropFirst(prefix.count).split(separator: ":")
                guard parts.count == 2, fields[1].hasPrefix(prefix), let address = UInt32(parts[0], radix: 16),
                    let port = UInt16(parts[1], radix: 16)
                else { return }
                users[LoopbackPeer(address: address, port: port)] = user
            }
        }
        return users
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func forEachLine(of path: String, with text: String, _ body: (String) -> Void) {
        guard let file = fopen(path, "re") else { return }
        defer { fclose(file) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        while getline(&line, &capacity, file) >= 0 {
            if let line, strstr(line, text) != nil { body(String(cString: line)) }
        }
    }
}
