import BusTesting
public import DBus
import Glibc

/// An app in a process of its own that does what the test says and nothing else: silent unless told to speak.
///
/// A `Peer` lives in the test's process, which the device would stop if the peer kept silent.
public struct Puppet: Sendable {
    public let program: Program
    /// Speaks through the puppet's connection, so that the device sees the puppet.
    public let peer: Peer
    /// Of the process that it started, if it was to.
    public let child: Int32?
    /// Of the process that has its connection, too, if one was to.
    public let heir: Int32?
    public let name: BusName

    /// - Parameter leads: Whether it leads a session of its own, as programs of a desktop do.
    /// - Parameter heir: Whether a process that is no child of it gets its connection, too.
    /// - Parameter user: Whom it runs as, on a terminal that is `open`; nil: as the test does.
    public init(
        _ terminal: Terminal, child hasChild: Bool = false, heir hasHeir: Bool = false, leads: Bool = false,
        user: String? = nil
    ) async throws {
        let script = "\(Terminal.package)/Tests/TerminalTesting/puppet.py"
        let identity = user.map { ["setpriv", "--reuid", $0, "--regid", $0, "--init-groups"] } ?? []
        // Given as text, since another user may not read the package.
        let shell = ["sh", "-c", #"s=$(cat "$0") && exec "$@" "$s""#, script]
        program = try terminal.run(
            user == nil
                ? (leads ? ["setsid", script] : [script]) + (hasChild ? ["child"] : []) + (hasHeir ? ["heir"] : [])
                : shell + identity + ["/usr/bin/python3", "-c"])
        let line = try await program.line(containing: "puppet :")
        guard let name = BusName(String(line.dropFirst("puppet ".count))) else { throw TestingError(line) }
        self.name = name
        peer = Peer(connection: try await terminal.connect(), through: name)
        heir = hasHeir ? Int32(try await program.line(containing: "heir ").dropFirst("heir ".count)) : nil
        child = hasChild ? Int32(try await program.line(containing: "child ").dropFirst("child ".count)) : nil
    }

    /// Whether a process is there and runs; one that ended and was not reaped does not.
    public static func isRunning(_ pid: Int32) -> Bool {
        guard Glibc.kill(pid, 0) == 0, let file = fopen("/proc/\(pid)/stat", "r") else { return false }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 512)
        guard fgets(&buffer, 512, file) != nil else { return false }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let state = text.split(separator: ")").last?.split(separator: " ").first
        return state != "Z" && state != "X"
    }

    /// Leaves the bus while the process lives on.
    public func leaveBus() { program.signal(SIGUSR1) }

    public var isRunning: Bool { Self.isRunning(program.pid) }
}
