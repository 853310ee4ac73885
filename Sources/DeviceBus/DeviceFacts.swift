import Glibc
package import Vocabulary

/// What does not change while the daemon runs.
package struct DeviceFacts: Sendable {
    var version: String
    var hostname: String
    var bootID: String
    /// Unix time in microseconds.
    var started: Int64
    var bus: BusKind
    /// On a session bus the user whose session it is, who may do everything there; nil on the system bus.
    var owner: UInt32?

    package init(
        version: String, hostname: String, bootID: String, started: Int64, bus: BusKind, owner: UInt32? = nil
    ) {
        self.version = version
        self.hostname = hostname
        self.bootID = bootID
        self.started = started
        self.bus = bus
        self.owner = owner
    }

    package static func currentHostname() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, 255) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
