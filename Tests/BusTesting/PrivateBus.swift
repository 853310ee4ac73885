public import DBus
import FolderTesting
import Glibc
import Synchronization

/// A `dbus-daemon` of one's own, on a socket in a folder of its own.
///
/// Killed with SIGKILL, and its folder removed, when `stop()` is called or the object goes; never by name.
public final class PrivateBus: Sendable {
    public let address: BusAddress
    /// For child processes: the value of `DBUS_SESSION_BUS_ADDRESS`.
    public let rawAddress: String
    public var folder: String { files.path }
    private let files: TemporaryFolder
    private let process: Mutex<ChildProcess>

    /// Starts a session bus that lets everybody do everything; with `policy` (the contents of a bus configuration,
    /// without the outer element) a bus of type `system` under that policy.
    ///
    /// - Parameter isOrdinary: What it keeps of one sender and for one receiver is limited as usual, and not so that tests
    ///   never meet a limit.
    public init(policy: String? = nil, isOrdinary: Bool = false) throws {
        files = try TemporaryFolder("bus")
        // Other users' processes must reach the socket.
        chmod(files.path, 0o755)
        let socket = files.path(of: "bus")
        let configuration = try files.write(
            Self.configuration(socket: socket, policy: policy, limits: isOrdinary ? "" : Self.generous), to: "bus.conf")
        rawAddress = "unix:path=\(socket)"
        address = .address(rawAddress)
        process = Mutex(try Self.start(configuration))
    }

    deinit { stop() }

    /// Kills the daemon and waits until it is gone.
    public func stop() {
        kill()
        files.remove()
    }

    /// Kills the daemon alone: everybody on the bus loses their connection.
    public func kill() { process.withLock { $0.kill() } }

    /// Starts another daemon at the same address after `kill()`.
    public func restart() throws {
        unlink(folder + "/bus")
        let next = try Self.start(folder + "/bus.conf")
        process.withLock { $0 = next }
    }

    private static func start(_ configuration: String) throws -> ChildProcess {
        // What it has to complain of in a flood goes nowhere: nobody reads it, and a full pipe would stop the whole bus.
        let process = try ChildProcess([
            "sh", "-c", #"exec "$@" 2>/dev/null"#, "sh", "dbus-daemon", "--config-file=\(configuration)", "--nofork",
            "--nopidfile", "--print-address",
        ])
        // The address is printed when the socket listens; warnings about the configuration may come before it.
        while let line = try process.readLine() {
            if line.hasPrefix("unix:") { return process }
        }
        throw TestingError("dbus-daemon did not start")
    }

    public func connect(options: ConnectionOptions? = nil) async throws -> Connection {
        try await Connection.open(address, options: options)
    }

    private static let generous = """
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">1000000000</limit>
        """

    private static func configuration(socket: String, policy: String?, limits: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>\(policy == nil ? "session" : "system")</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          \(limits)
          <limit name="max_match_rules_per_connection">50000</limit>
          <limit name="max_connections_per_user">4096</limit>
          <limit name="max_completed_connections">4096</limit>
          \(policy ?? #"<policy context="default"><allow user="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>"#)
        </busconfig>
        """
    }
}

/// Runs `body` with a bus of its own, which is gone afterwards whatever happens.
public func withPrivateBus<Result>(_ body: (PrivateBus) async throws -> Result) async throws -> Result {
    let bus = try PrivateBus()
    defer { bus.stop() }
    return try await body(bus)
}

public struct TestingError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
