internal import Glibc

/// What does not change while the daemon runs.
struct DeviceFacts: Sendable {
    var version: String
    var hostname: String
    var bootID: String
    /// Unix time in microseconds.
    var started: Int64
    /// `system` or `session`.
    var bus: String
    /// On a session bus the user whose session it is, who may do everything there; nil on the system bus.
    var owner: UInt32?

    static func currentHostname() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, 255) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
