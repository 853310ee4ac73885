public import Baton
public import BusTesting
public import DBus
import FolderTesting
import Glibc
import LocalAccounts
import Secrets

/// A whole shared terminal of its own: a private bus, a real batond with its agent, settings and state in a temporary
/// folder. Everything ends with it.
///
/// Ana has the PIN 1234 and Bo 5678; their hashes are cheap, since nobody is to be kept out here.
public final class Terminal: Sendable {
    public let bus: PrivateBus
    public var folder: String { files.path }
    private let files: TemporaryFolder

    /// - Parameter isOpen: Lets other users onto the bus.
    /// - Parameter isOrdinary: The bus has the usual limits.
    /// - Parameter parent: Where its folder is made.
    public init(
        settings: String = Terminal.quick, accounts: Bool = true, apps: [String: String] = [:], isOpen: Bool = false,
        isOrdinary: Bool = false, in parent: String = "/tmp"
    ) throws {
        bus = try PrivateBus(policy: isOpen ? Self.open : nil, isOrdinary: isOrdinary)
        if isOpen { chmod(bus.folder, 0o755) }
        files = try TemporaryFolder("terminal", in: parent)
        for name in ["config/baton/apps.d", "state", "run", "home", "data"] { try files.folder(name, mode: 0o700) }
        try configure(settings, accounts: accounts)
        for (id, text) in apps { try write(text, to: "config/baton/apps.d/\(id).yaml") }
    }

    private static let open = """
        <policy context="default">
          <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
        </policy>
        """

    /// Deadlines that tests need not wait long for, with time for an agent on a slow machine to contain.
    public static let quick = "barrier: {soft: 300ms, hard: 1s, containment: 10s, absolute: 19s}\n"
    /// Deadlines that no honest app misses on a slow machine.
    public static let patient = "barrier: {soft: 4s, hard: 14s, containment: 5s, absolute: 20s}\n"

    /// Writes the settings, and both accounts beside them or none.
    public func configure(_ settings: String, accounts: Bool = true) throws {
        try write(settings, to: "config/baton/baton.yaml")
        let file = "config/baton/\(AccountsFile.name)"
        unlink("\(folder)/\(file)")
        guard accounts else { return }
        try write(AccountsList.text(of: try Self.accounts()), to: file)
        chmod("\(folder)/\(file)", 0o600)
    }

    public func write(_ text: String, to name: String) throws { try files.write(text, to: name) }
    public func write(_ bytes: [UInt8], to name: String) throws { try files.write(bytes, to: name) }

    public func exists(_ name: String) -> Bool { access("\(folder)/\(name)", F_OK) == 0 }

    private static func accounts() throws -> [LocalAccount] {
        guard let cheap = ScryptParameters(logRounds: 4, blockSize: 1, parallelism: 1) else {
            throw TestingError("no such scrypt parameters")
        }
        return try [("ana", "Ana Horvat", "1234"), ("bo", "Bo Larsen", "5678")].map { username, name, pin in
            let hash = try PINHash.make(pin: Secret(Array(pin.utf8)), parameters: cheap)
            return try LocalAccount(username: username, name: name, pin: hash)
        }
    }

    // MARK: Programs

    public var environment: [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": bus.rawAddress, "XDG_CONFIG_HOME": "\(folder)/config",
            "XDG_STATE_HOME": "\(folder)/state", "XDG_RUNTIME_DIR": "\(folder)/run", "HOME": "\(folder)/home",
            "PATH": "\(Self.binaries):/usr/bin:/bin", "NO_COLOR": "1", "BATON_BUS": "session",
        ]
    }

    /// Where the build put the programs: beside the test bundle.
    public static let binaries: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, 4095)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
    }()

    /// The top of the package, where the examples lie.
    public static let package: String = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }

    public func run(_ arguments: [String], environment more: [String: String] = [:]) throws -> Program {
        var words = arguments
        if let first = words.first, !first.contains("/"), access("\(Self.binaries)/\(first)", X_OK) == 0 {
            words[0] = "\(Self.binaries)/\(first)"
        }
        return try Program(words, environment: environment.merging(more) { $1 })
    }

    /// Runs batonctl to its end.
    ///
    /// - Parameter input: For `--pin-stdin`.
    public func batonctl(_ arguments: String..., input: String? = nil) async throws -> (status: Int32, output: String) {
        let program =
            if let input {
                try run(["sh", "-c", "printf '%s' \"$0\" | \(Self.binaries)/batonctl \"$@\"", input] + arguments)
            } else {
                try run(["batonctl"] + arguments)
            }
        let status = await program.end()
        return (status, program.output)
    }

    /// Starts batond and waits until it is ready and its agent has registered.
    public func startDaemon(_ arguments: [String] = [], agent: Bool = true) async throws -> Program {
        let daemon = try run(["batond", "--session"] + arguments)
        try await daemon.line(containing: "] ready")
        if agent { try await daemon.line(containing: "the agent has registered") }
        return daemon
    }

    /// Starts batond under something that keeps descriptors as systemd does, and starts it again when it is killed.
    public func startManaged(environment more: [String: String] = [:]) async throws -> Program {
        let manager = try run(
            [
                "python3", "\(Self.package)/Tests/TerminalTesting/manager.py", "\(folder)/notify",
                "\(Self.binaries)/batond", "--session",
            ], environment: more)
        try await manager.line(containing: "the agent has registered")
        return manager
    }

    // MARK: Clients

    /// A connection of its own, as another app has.
    public func connect() async throws -> Connection { try await Connection.open(bus.address) }

    public func device() async throws -> Device { try await Device.connect(.address(bus.rawAddress)) }
}
