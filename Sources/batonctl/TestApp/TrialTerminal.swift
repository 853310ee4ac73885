import Baton
import DBus
import Glibc
import LinuxSystem
import LocalAccounts
import Processes
import Secrets
import Wiping

/// A shared terminal of its own: a private bus, a real batond and its agent, in a temporary folder. Each runs below a reaper,
/// so that all of it ends with this process, however that ends.
actor TrialTerminal {
    enum Fault: Error {
        case missing(String)
        case failed(String)
    }

    nonisolated let folder: String
    nonisolated let address: String
    private let wrapper: ProgramWrapper
    private let batond: String
    private let bus: any WrappedProgram
    private var daemon: (any WrappedProgram)?

    private init(
        folder: String, address: String, wrapper: ProgramWrapper, batond: String, bus: any WrappedProgram
    ) {
        self.folder = folder
        self.address = address
        self.wrapper = wrapper
        self.batond = batond
        self.bus = bus
    }

    /// Starts the bus; batond comes with `startDaemon`.
    static func start(_ wrapper: ProgramWrapper) async throws -> TrialTerminal {
        guard let batond = ProgramPath.beside("batond") else { throw Fault.missing("batond") }
        guard let daemon = ProgramPath.find("dbus-daemon") else { throw Fault.missing("dbus-daemon") }
        var template = Array("/tmp/baton-test-app-XXXXXX".utf8CString)
        guard let name = mkdtemp(&template) else { throw Fault.failed(Text.TestApp.noFolder) }
        let folder = String(cString: name)
        for name in ["config", "config/baton", "state", "run", "home", "app-state"] {
            mkdir("\(folder)/\(name)", 0o700)
        }
        try write(busConfiguration(folder), to: "\(folder)/bus.conf")
        try write(try accounts(), to: "\(folder)/config/baton/\(AccountsFile.name)")
        guard let (reading, writing) = Descriptor.pipe() else { throw Fault.failed(Text.TestApp.noFolder) }
        let bus = try await wrapper.start(
            [daemon, "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address"],
            environment: ["PATH": "/usr/bin:/bin"], descriptors: [1: writing])
        // The address is printed when the socket listens.
        let listens = await OwnThread.run(limit: TimeLimit(.seconds(20))) {
            var byte: UInt8 = 0
            return read(reading.raw, &byte, 1) == 1
        }
        guard listens == true else {
            _ = await bus.end(limit: TimeLimit(.seconds(5)))
            throw Fault.failed(Text.TestApp.noBus)
        }
        return TrialTerminal(
            folder: folder, address: "unix:path=\(folder)/bus", wrapper: wrapper, batond: batond, bus: bus)
    }

    /// Returns when batond answers.
    func startDaemon() async throws {
        let log = open("\(folder)/batond.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw Fault.failed(Text.TestApp.noFolder) }
        let output = Descriptor(owning: log)
        // No display: the developer's own clipboard is none of the trial's.
        let environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "\(folder)/home", "XDG_CONFIG_HOME": "\(folder)/config",
            "XDG_STATE_HOME": "\(folder)/state", "XDG_RUNTIME_DIR": "\(folder)/run", "LANG": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": address,
        ]
        let daemon = try await wrapper.start(
            [batond, "--session"], environment: environment, descriptors: [1: output, 2: output])
        self.daemon = daemon
        let device = try await device()
        let appeared = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                guard let events = try? await device.events() else { return false }
                for await event in events {
                    if case .appeared = event { return true }
                }
                return false
            }
            group.addTask {
                _ = await daemon.exit()
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        guard appeared else { throw Fault.failed(Text.TestApp.noDaemon(lastLines(of: "\(folder)/batond.log"))) }
    }

    /// The folder is gone when a developer reads the error.
    private func lastLines(of file: String) -> String {
        let text = readSmallFile(file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").suffix(8).joined(separator: "\n")
    }

    /// Kills batond and starts it again.
    func restartDaemon() async throws {
        daemon?.send(SIGKILL)
        _ = await daemon?.end(limit: TimeLimit(.seconds(10)))
        try await startDaemon()
    }

    func device() async throws -> Device { try await Device.connect(.address(address)) }

    func signIn(_ username: String) async throws -> Epoch {
        guard let worker = Self.workers.first(where: { $0.username == username }) else { return 0 }
        let pin = try OwnedDescriptor(sealing: Secret(Array(worker.pin.utf8)))
        return try await device().signIn(username: username, pin: pin).epoch
    }

    /// Ends everything, and removes the folder.
    func stop() async {
        _ = await daemon?.end(limit: TimeLimit(.seconds(10)))
        _ = await bus.end(limit: TimeLimit(.seconds(10)))
        _ = await Wipe(root: folder, homes: []).run(limit: TimeLimit(.seconds(10)))
        rmdir(folder)
    }

    // MARK: What it is made of

    static let workers = [
        (username: "ana", name: "Ana Horvat", pin: "1234"), (username: "ben", name: "Ben Okafor", pin: "5678"),
    ]

    /// There are no settings beside them, so the terminal has the deadlines that terminals have if no one changes them.
    private static func accounts() throws -> String {
        let cheap = ScryptParameters(logRounds: 4, blockSize: 1, parallelism: 1) ?? .standard
        let accounts = try workers.map { worker in
            let hash = try PINHash.make(pin: Secret(Array(worker.pin.utf8)), parameters: cheap)
            return try LocalAccount(username: worker.username, name: worker.name, pin: hash)
        }
        return AccountsList.text(of: accounts)
    }

    private static func busConfiguration(_ folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
          </policy>
        </busconfig>
        """
    }

    private static func write(_ text: String, to path: String) throws {
        let raw = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard raw >= 0 else { throw Fault.failed(Text.TestApp.noFolder) }
        let file = Descriptor(owning: raw)
        guard text.withCString({ Glibc.write(file.raw, $0, strlen($0)) }) == text.utf8.count else {
            throw Fault.failed(Text.TestApp.noFolder)
        }
    }
}
