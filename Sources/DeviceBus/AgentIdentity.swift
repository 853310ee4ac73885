import BatonContract
import DBus
import Glibc
package import Supervisor

/// Who may be the agent.
package struct AgentIdentity: Sendable {
    /// The user that it must run as; nil: there is no such user, so no process may.
    package var user: UInt32?
    /// The systemd unit that its process must belong to; nil on a session bus.
    var unit: String?
    /// What the agent that batond started was handed; nil if another program starts it, and then on a session bus every
    /// process of the user is as good as any other.
    var credential: AgentCredential?

    package init(user: UInt32? = nil, unit: String? = nil, credential: AgentCredential? = nil) {
        self.user = user
        self.unit = unit
        self.credential = credential
    }

    func check(_ caller: Principal, showing descriptor: OwnedDescriptor?) async throws {
        guard caller.user == user else {
            throw BatonError(.notAuthorized, "The agent runs as another user.")
        }
        try await credential?.check(descriptor, pid: caller.pid)
        guard let unit else { return }
        guard Self.runs(Self.cgroup(of: caller.pid), as: unit) else {
            throw BatonError(.notAuthorized, "The agent runs as \(unit).")
        }
    }

    /// The outermost unit is the system manager's own. Below that of a user's manager, that user names units as they like.
    static func runs(_ path: String, as unit: String) -> Bool {
        path.split(separator: "/").first { $0.hasSuffix(".service") || $0.hasSuffix(".scope") } == Substring(unit)
    }

    /// The path of the process in the unified hierarchy; empty when it cannot be read.
    static func cgroup(of pid: Int32) -> String {
        let file = open("/proc/\(pid)/cgroup", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = read(file, &buffer, buffer.count)
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::") }
        return line.map { String($0.dropFirst(3)) } ?? ""
    }
}
