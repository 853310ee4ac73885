import Agent
import BusTesting
import DBus
import FolderTesting
import Glibc
import KioskTesting
import Processes
import Sandbox
import Synchronization
import Testing
import Vocabulary

/// A program in a sandbox reaches Baton on the bus and nobody else.
@Suite(.asOrdinaryUser, .needsNamespaces, .serialized, .timeLimit(.minutes(2))) struct BusAccessTests {
    /// Ways out, each a call that somebody on the real bus would answer.
    static let escapes = [
        "org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager.StartTransientUnit string:x",
        "org.freedesktop.portal.Desktop /org/freedesktop/portal/desktop org.freedesktop.portal.OpenURI.OpenURI string:x",
        "org.freedesktop.portal.Flatpak /org/freedesktop/portal/Flatpak org.freedesktop.portal.Flatpak.Spawn string:x",
        "org.freedesktop.DBus / org.freedesktop.DBus.StartServiceByName string:org.example.Activated uint32:0",
        "org.freedesktop.DBus / org.freedesktop.DBus.RequestName string:org.example.Mine uint32:0",
        "org.freedesktop.DBus / org.freedesktop.DBus.UpdateActivationEnvironment dict:string:string:LD_PRELOAD,/tmp/x.so",
        "org.example.Activated / org.example.Activated.Hello string:x",
        "org.baton.Device1 /org/baton/Device1 org.baton.Device1.Agent.ProcessExited string:x",
        "org.baton.Device1 /org/baton/Device1 org.baton.Device1.Administration.Reload string:x",
        "org.baton.Device1 /org/baton/Agent1 org.baton.Agent1.CloseSignIn string:x",
        "org.baton.Device1 /org/baton/Agent1 org.baton.Device1.GetDeviceMode string:x",
    ]
    static let busNames: [BusName] = [
        "org.freedesktop.systemd1", "org.freedesktop.portal.Desktop", "org.freedesktop.portal.Flatpak",
    ]

    /// Answers everything on its path, and counts.
    private final class Target: Sendable {
        let calls = Mutex(0)

        func serve(on connection: Connection) async throws {
            let members: [(InterfaceName, MemberName, ObjectPath)] = [
                ("org.freedesktop.systemd1.Manager", "StartTransientUnit", "/org/freedesktop/systemd1"),
                ("org.freedesktop.portal.OpenURI", "OpenURI", "/org/freedesktop/portal/desktop"),
                ("org.freedesktop.portal.Flatpak", "Spawn", "/org/freedesktop/portal/Flatpak"),
                ("org.baton.Device1", "GetDeviceMode", "/org/baton/Device1"),
                ("org.baton.Device1.Agent", "ProcessExited", "/org/baton/Device1"),
                ("org.baton.Device1.Administration", "Reload", "/org/baton/Device1"),
                ("org.baton.Agent1", "CloseSignIn", "/org/baton/Agent1"),
                ("org.baton.Device1", "GetDeviceMode", "/org/baton/Agent1"),
            ]
            var objects: [ObjectPath: ServedObject] = [:]
            for (interface, member, path) in members {
                let method = Method(interface, member, takes: Arguments(("text", String.self)))
                objects[path, default: ServedObject()].answer(method) { _, _ in self.calls.withLock { $0 += 1 } }
            }
            for (path, object) in objects { try await connection.serve(object, at: path) }
            for name in BusAccessTests.busNames { try await connection.own(name) }
            try await connection.own("org.baton.Device1")
        }
    }

    private static let script = """
        for call in "$@"; do
            set -- $call
            dest=$1; shift
            if dbus-send --$BUS --print-reply --reply-timeout=10000 --dest=$dest "$@" >/dev/null 2>&1
            then echo reached >&3; else echo refused >&3; fi
        done
        """
    private static let hello = "org.baton.Device1 /org/baton/Device1 org.baton.Device1.GetDeviceMode string:x"

    /// A session bus with a service that the bus starts when it is called, which then leaves a mark.
    private func withBus(_ body: (PrivateBus, TemporaryFolder) async throws -> Void) async throws {
        let folder = try TemporaryFolder.inHome()
        try folder.write(
            "[D-BUS Service]\nName=org.example.Activated\nExec=/bin/sh -c 'touch \(folder.path)/activated; exit 1'\n",
            to: "org.example.Activated.service")
        let bus = try PrivateBus(
            policy: """
                <type>session</type><servicedir>\(folder.path)</servicedir>
                <policy context="default">
                  <allow user="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
                </policy>
                """)
        defer { bus.stop() }
        try await body(bus, folder)
    }

    @Test(arguments: ["session", "system"]) func `the ways out are shut and Baton is there`(kind: String) async throws {
        try await withBus { bus, folder in
            let target = Target()
            let connection = try await bus.connect()
            try await target.serve(on: connection)
            var surroundings = Surroundings()
            if kind == "session" {
                surroundings.sessionBus = bus.rawAddress
            } else {
                surroundings.systemBus = bus.rawAddress
            }
            let confiner = await Confiner.detect(surroundings)
            try #require(confiner.proof == .namespace)
            let output = try await ConfinedShell.run(Self.script, in: confiner, arguments: Self.escapes + [Self.hello])
            {
                $0.bus = .baton
                $0.environment["BUS"] = kind
            }
            #expect(output == String(repeating: "refused\n", count: Self.escapes.count) + "reached\n")
            #expect(target.calls.withLock { $0 } == 1)
            #expect(folder.text(of: "activated") == nil)
            // The same calls from outside get there, so it was the sandbox that stopped them.
            let outside = try await ChildProcess(
                ["sh", "-c", "exec 3>&1; " + Self.script, "sh"] + Self.escapes,
                environment: ["DBUS_\(kind.uppercased())_BUS_ADDRESS": bus.rawAddress, "BUS": kind]
            ).end().output
            #expect(outside.split(separator: "\n").prefix(3).allSatisfy { $0 == "reached" })
            #expect(outside.split(separator: "\n").suffix(4).allSatisfy { $0 == "reached" })
            #expect(target.calls.withLock { $0 } == 8)
            #expect(folder.text(of: "activated") != nil)
            withExtendedLifetime(connection) {}
        }
    }

    @Test func `the real bus cannot be reached by its address`() async throws {
        try await withPrivateBus { bus in
            var surroundings = Surroundings()
            surroundings.sessionBus = bus.rawAddress
            let confiner = await Confiner.detect(surroundings)
            try #require(confiner.proof == .namespace)
            let script =
                #"dbus-send --bus="$1" --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId"#
                + #" >/dev/null 2>&1 && echo reached >&3 || echo refused >&3"#
            for access in [ConfinedProgram.BusAccess.none, .baton] {
                let output = try await ConfinedShell.run(script, in: confiner, arguments: [bus.rawAddress]) {
                    $0.bus = access
                }
                #expect(output == "refused\n")
            }
        }
    }

    @Test func `the proxy speaks for its sandbox and ends with it`() async throws {
        try await withPrivateBus { bus in
            var surroundings = Surroundings()
            surroundings.sessionBus = bus.rawAddress
            let confiner = await Confiner.detect(surroundings)
            let baton = try await bus.connect()
            try await baton.own("org.baton.Device1")
            let seen = Mutex(0)
            var object = ServedObject()
            object.answer(Method("org.baton.Device1", "GetDeviceMode", takes: Arguments(("text", String.self)))) {
                _, _ in
                seen.withLock { $0 += 1 }
            }
            try await baton.serve(object, at: "/org/baton/Device1")
            // It stays on the bus, so that its connection can be asked about.
            let script =
                #"dbus-send --session --print-reply --dest=${1%% *} ${1#* } >/dev/null; echo told >&3; sleep 1000"#
            let shell = try await ConfinedShell.start(script, in: confiner, arguments: [Self.hello]) {
                $0.bus = .baton
            }
            #expect(await shell.output.line() == "told")
            let notes = names(in: confiner.surroundings.runtime + "/baton-agent")
            #expect(notes.contains { $0.hasSuffix(".session") })
            let proxy = try #require(
                shell.confinement.roots.first { contents("/proc/\($0)/comm") == "xdg-dbus-proxy\n" })
            #expect(shell.confinement.holds(proxy))
            #expect(await shell.confinement.end(limit: .long) == nil)
            #expect(Processes.isGone(proxy))
            #expect(seen.withLock { $0 } == 1)
        }
    }

    @Test func `without a bus to talk on it is not started`() async throws {
        let confiner = await Confiner.detect(Surroundings())
        var program = ConfinedProgram(name: "none", command: ["/bin/true"])
        program.bus = .baton
        await #expect(throws: LaunchFault.failed("no bus was named")) { try await confiner.start(program) }
    }
}
