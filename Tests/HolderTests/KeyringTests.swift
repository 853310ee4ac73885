import BusTesting
import Clearing
import DBus
import Glibc
import KioskTesting
import LinuxSystem
import Testing
import Vocabulary

/// A gnome-keyring-daemon of its own, on a bus of its own, with an unlocked login keyring.
private final class Keyring: Sendable {
    let bus: PrivateBus
    let connection: Connection
    let files: String
    private let daemon: ChildProcess

    static let isInstalled =
        access("/usr/bin/gnome-keyring-daemon", X_OK) == 0 && access("/usr/bin/secret-tool", X_OK) == 0

    init() async throws {
        bus = try PrivateBus()
        connection = try await bus.connect()
        files = bus.folder + "/data/keyrings"
        for folder in ["/data", "/run", "/data/keyrings"] { mkdir(bus.folder + folder, 0o700) }
        daemon = try Self.start(bus)
        // The bus tells when the name comes.
        let (names, news) = AsyncStream.makeStream(of: Void.self)
        let token = try await connection.observeNames { change in
            if change.name == "org.freedesktop.secrets", change.newOwner != nil { news.yield() }
        }
        if try await !connection.hasOwner("org.freedesktop.secrets") { for await _ in names { break } }
        await connection.stopObserving(token)
    }

    deinit {
        daemon.kill()
        bus.stop()
    }

    private static func start(_ bus: PrivateBus) throws -> ChildProcess {
        let file = fopen(bus.folder + "/password", "w")
        fputs("test", file)
        fclose(file)
        let command = "exec gnome-keyring-daemon --foreground --components=secrets --unlock"
        return try ChildProcess(
            ["/bin/sh", "-c", "\(command) --control-directory=\(bus.folder)/run < \(bus.folder)/password"],
            environment: environment(bus))
    }

    private static func environment(_ bus: PrivateBus) -> [String: String] {
        [
            "DBUS_SESSION_BUS_ADDRESS": bus.rawAddress, "XDG_DATA_HOME": bus.folder + "/data",
            "XDG_RUNTIME_DIR": bus.folder + "/run", "HOME": bus.folder,
        ]
    }

    func run(_ command: String, by shell: String = "/bin/sh") async throws -> String {
        let child = try ChildProcess([shell, "-c", command], environment: Self.environment(bus))
        let end = await child.end()
        guard end.status == 0 else { throw TestingError("\(command): \(end.status) \(end.output)") }
        return end.output
    }

    func store(_ kind: String, schema: String = "org.example", in collection: String = "login") async throws {
        _ = try await run(
            "printf secret | secret-tool store --collection=\(collection) --label=Private kind \(kind) xdg:schema \(schema)"
        )
    }

    func has(_ kind: String) async throws -> Bool {
        try await run("secret-tool search --all kind \(kind) 2>&1").contains("attribute.kind = \(kind)")
    }

    func lock() async throws {
        _ = try await run(
            "gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets "
                + "--method org.freedesktop.Secret.Service.Lock \"[objectpath '/org/freedesktop/secrets/collection/login']\""
        )
    }

    func stop() { kill(daemon.processID, SIGSTOP) }

    func end() { daemon.kill() }
}

/// The service has whole seconds only, so a turn that is told apart begins in the next one. The clock announces nothing.
private func nextSecond() async -> TurnStart {
    let begin = TurnStart().wall / 1_000_000_000
    while TurnStart().wall / 1_000_000_000 == begin { try? await Task.sleep(for: .milliseconds(20)) }
    return TurnStart()
}

@Suite(
    .asOrdinaryUser, .timeLimit(.minutes(2)),
    .enabled(if: Keyring.isInstalled, "gnome-keyring or libsecret-tools is not installed"))
struct `Keyring items of a turn` {
    private let limit = Duration.seconds(20)

    @Test func `items of the turn go and older ones stay`() async throws {
        let keyring = try await Keyring()
        try await keyring.store("old")
        let turn = await nextSecond()
        try await keyring.store("new")
        try await keyring.store("fleeting", in: "session")
        let report = await KeyringHolder(connection: keyring.connection, files: keyring.files).clear(
            turn, limit: TimeLimit(limit))
        #expect(report == HolderReport("keyring", .clean, "2 removed"))
        #expect(try await keyring.has("old"))
        #expect(try await !keyring.has("new"))
        #expect(try await !keyring.has("fleeting"))
    }

    @Test func `an older item that the turn changed goes`() async throws {
        let keyring = try await Keyring()
        try await keyring.store("old")
        let turn = await nextSecond()
        _ = try await keyring.run("printf other | secret-tool store --label=Other kind old xdg:schema org.example")
        let report = await KeyringHolder(connection: keyring.connection).clear(turn, limit: TimeLimit(limit))
        #expect(report.outcome == .clean)
        #expect(try await !keyring.has("old"))
    }

    @Test func `an item in a locked keyring is counted and not named`() async throws {
        let keyring = try await Keyring()
        let turn = await nextSecond()
        try await keyring.store("new")
        try await keyring.lock()
        let report = await KeyringHolder(connection: keyring.connection).clear(turn, limit: TimeLimit(limit))
        #expect(report.outcome == .failed && report.explanation.hasPrefix("1 could not be deleted"))
        #expect(!report.explanation.contains("Private") && !report.explanation.contains("new"))
    }

    @Test func `a keyring that the turn made goes`() async throws {
        let keyring = try await Keyring()
        let turn = await nextSecond()
        let made = try await keyring.run(Self.puppet, by: "/usr/bin/python3")
        try #require(made.contains("/collection/worker"))
        let report = await KeyringHolder(connection: keyring.connection).clear(turn, limit: TimeLimit(limit))
        #expect(report == HolderReport("keyring", .clean, "1 removed"))
        let left = try await keyring.run(
            "gdbus introspect --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets")
        #expect(!left.contains("/collection/worker"))
    }

    /// Makes a keyring without a prompt, as only gnome-keyring lets its friends do.
    private static let puppet = """
        import dbus
        service = dbus.SessionBus().get_object("org.freedesktop.secrets", "/org/freedesktop/secrets")
        empty = dbus.String("", variant_level=1)
        _, session = service.OpenSession("plain", empty, dbus_interface="org.freedesktop.Secret.Service")
        secret = dbus.Struct((session, dbus.ByteArray(b""), dbus.ByteArray(b"x"), "text/plain"), signature="oayays")
        label = {"org.freedesktop.Secret.Collection.Label": dbus.String("worker")}
        friend = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"
        print(service.CreateWithMasterPassword(label, secret, dbus_interface=friend))
        """

    @Test func `Microsoft's cache goes whenever it was written, and nothing else`() async throws {
        let keyring = try await Keyring()
        try await keyring.store("cache", schema: "com.microsoft.identity.secret")
        try await keyring.store("other")
        let report = await MicrosoftCacheHolder(connection: keyring.connection).clear(
            await nextSecond(), limit: TimeLimit(limit))
        #expect(report == HolderReport("microsoft-cache", .clean, "1 removed"))
        #expect(try await keyring.has("other"))
        #expect(try await !keyring.has("cache"))
    }

    @Test func `a service that was ended after something was written is not called clean`() async throws {
        let keyring = try await Keyring()
        let turn = await nextSecond()
        try await keyring.store("new")
        keyring.end()
        let holder = KeyringHolder(connection: keyring.connection, files: keyring.files)
        #expect(await holder.clear(turn, limit: TimeLimit(limit)).outcome == .failed)
        let later = await nextSecond()
        #expect(await holder.clear(later, limit: TimeLimit(limit)).outcome == .clean)
    }

    @Test func `a service that hangs fails within the limit`() async throws {
        let keyring = try await Keyring()
        keyring.stop()
        let report = await KeyringHolder(connection: keyring.connection).clear(
            TurnStart(), limit: TimeLimit(.milliseconds(300)))
        #expect(report.outcome == .failed)
    }

    @Test func `without a bus or a service nothing is claimed`() async throws {
        #expect(await KeyringHolder(connection: nil).clear(TurnStart(), limit: TimeLimit(limit)).outcome == .unchecked)
        try await withPrivateBus { bus in
            let holder = KeyringHolder(connection: try await bus.connect())
            #expect(await holder.clear(TurnStart(), limit: TimeLimit(limit)).outcome == .clean)
        }
    }
}
