import BatonContract
import BusTesting
import DBus
import Glibc
import Testing

/// The system bus policy on a real bus. Processes of other users are needed, which only root can start.
///
/// The users of a bare system stand in: root for baton (that is who runs the test's server), games for kiosk, daemon
/// for an administrator, news for one of the group baton-admins, nobody for a stranger.
@Suite(.timeLimit(.minutes(1)), .enabled(if: geteuid() == 0))
struct PolicyTests {
    /// What the bus's own configuration says before ours.
    private static let base = """
        <policy context="default">
          <allow user="*"/>
          <deny own="*"/>
          <deny send_type="method_call"/>
          <allow send_type="signal"/>
          <allow send_requested_reply="true" send_type="method_return"/>
          <allow send_requested_reply="true" send_type="error"/>
          <allow receive_type="method_call"/>
          <allow receive_type="method_return"/>
          <allow receive_type="error"/>
          <allow receive_type="signal"/>
          <allow own="org.example.Other"/>
          <allow send_destination="org.freedesktop.DBus" send_interface="org.freedesktop.DBus"/>
        </policy>
        """

    private func withPolicy(
        _ other: String = "",
        _ body: (_ bus: PrivateBus, _ batond: Connection, _ start: (String, [String]) throws -> ChildProcess)
            async throws -> Void
    ) async throws {
        let file = ContractFiles.lines(try ContractFiles.text("org.baton.Device1.conf"))
        let inside = file.drop { $0 != "<busconfig>" }.dropFirst().dropLast().map { line in
            switch line {
            case #"<policy user="root">"#: #"<policy user="daemon">"#
            case #"<policy user="baton">"#: #"<policy user="root">"#
            case #"<policy group="baton-agent">"#: #"<policy group="mail">"#
            case #"<policy group="kiosk">"#: #"<policy group="games">"#
            case #"<policy group="baton-admins">"#: #"<policy group="news">"#
            default: line
            }
        }
        let bus = try PrivateBus(policy: Self.base + other + inside.joined(separator: "\n"))
        defer { bus.stop() }
        let batond = try await bus.connect()
        var object = ServedObject()
        object.answer(Device1.getDeviceMode) { _, _ in "shared" }
        object.answer(Tokens.handleResponse) { _, _ in false }
        object.answer(Administration.reload) { _, _ in [:] }
        object.answer(DeviceAgent.processExited) { _, _ in }
        object.answer(Agent1.closeSignIn) { _, _ in true }
        object.property(Device1.phase) { _ in "ready" }
        try await batond.serve(object, at: Device1.path)
        try await batond.own(Device1.busName)
        try await body(bus, batond) { user, arguments in
            // The agent has the kiosk's user and group, and its own group before that.
            let identity =
                switch user {
                case "agent": ["--reuid", "games", "--regid", "mail", "--groups", "games"]
                case "nobody": ["--reuid", user, "--regid", "nogroup", "--clear-groups"]
                default: ["--reuid", user, "--regid", user, "--clear-groups"]
                }
            return try ChildProcess(["setpriv"] + identity + arguments)
        }
        await batond.close()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let user: String
        let interface: String
        let member: String
        let arguments: [String]
        let isAllowed: Bool
        var testDescription: String { "\(user) \(interface).\(member): \(isAllowed)" }
    }

    private static let members: [(String, String, [String], Set<String>)] = [
        ("org.baton.Device1", "GetDeviceMode", [], ["games", "agent", "daemon", "news"]),
        ("org.baton.Device1.Tokens", "HandleResponse", ["ss", "x:", ""], ["games", "agent", "daemon", "news"]),
        ("org.baton.Device1.Administration", "Reload", [], ["daemon", "news"]),
        ("org.baton.Device1.Agent", "ProcessExited", ["t", "1"], ["agent"]),
        ("org.baton.Agent1", "CloseSignIn", [], []),
        (
            "org.freedesktop.DBus.Properties", "GetAll", ["s", "org.baton.Device1"],
            ["games", "agent", "daemon", "news"]
        ),
        ("org.freedesktop.DBus.Introspectable", "Introspect", [], ["games", "agent", "daemon", "news"]),
    ]

    static let cases = members.flatMap { interface, member, arguments, allowed in
        ["games", "agent", "daemon", "news", "nobody"].map {
            Case(
                user: $0, interface: interface, member: member, arguments: arguments,
                isAllowed: allowed.contains($0))
        }
    }

    @Test(arguments: cases)
    func `who may call what is as the policy says`(_ call: Case) async throws {
        try await withPolicy { bus, _, start in
            let run = try await start(
                call.user,
                [
                    "busctl", "--address=\(bus.rawAddress)", "call", "org.baton.Device1", "/org/baton/Device1",
                    call.interface, call.member,
                ] + call.arguments
            ).end()
            #expect((run.status == 0) == call.isAllowed, "\(run.output)")
            if !call.isAllowed { #expect(run.output.contains("Access denied")) }
        }
    }

    @Test(arguments: ["games", "daemon", "nobody"])
    func `only the session hears of accounts`(_ user: String) async throws {
        try await withPolicy { bus, batond, start in
            // Not gdbus, which loses signals for a while after it says that it listens.
            let script = """
                import sys
                import dbus, dbus.mainloop.glib
                from gi.repository import GLib
                bus = dbus.bus.BusConnection(sys.argv[1], mainloop=dbus.mainloop.glib.DBusGMainLoop())
                bus.add_message_filter(lambda _, heard: print(heard.get_member(), heard.get_args_list(), flush=True))
                bus.add_match_string("type='signal',sender='org.baton.Device1'")
                print("listens", flush=True)
                GLib.MainLoop().run()
                """
            let listener = try start(user, ["/usr/bin/python3", "-c", script, bus.rawAddress])
            while let line = await listener.nextLine(), line != "listens" {}
            try batond.emit(Device1.signedIn, (1, ["name": .string("Ana")]), from: Device1.path)
            // From another path, so that everybody hears it and has surely passed the first.
            try batond.emit(Device1.automaticSignOutCancelled, from: "/end")
            var heard = ""
            while let line = await listener.nextLine() {
                heard += line
                if line.contains("AutomaticSignOutCancelled") { break }
            }
            #expect(heard.contains("Ana") == (user != "nobody"))
        }
    }

    @Test(arguments: ["games", "daemon", "nobody"])
    func `nobody but batond owns the name`(_ user: String) async throws {
        try await withPolicy { bus, batond, start in
            try await batond.release(Device1.busName)
            let run = try await start(
                user,
                [
                    "busctl", "--address=\(bus.rawAddress)", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
                    "org.freedesktop.DBus", "RequestName", "su", "org.baton.Device1", "4",
                ]
            ).end()
            #expect(run.status != 0)
        }
    }

    /// A rule that denies an interface to all also denies calls that name no interface, to every service of the bus.
    @Test func `calls to others that name no interface are not touched`() async throws {
        let open = #"<policy context="default"><allow send_destination="org.example.Other"/></policy>"#
        try await withPolicy(open) { bus, _, start in
            let other = try await bus.connect()
            var object = ServedObject()
            object.answer(Method("org.example.Other", "Hello")) { _, _ in }
            try await other.serve(object, at: "/other")
            try await other.own("org.example.Other")
            let script = """
                import sys
                import dbus, dbus.lowlevel
                bus = dbus.bus.BusConnection(sys.argv[1])
                call = dbus.lowlevel.MethodCallMessage("org.example.Other", "/other", None, "Hello")
                bus.send_message_with_reply_and_block(call)
                """
            let run = try await start("nobody", ["/usr/bin/python3", "-c", script, bus.rawAddress]).end()
            #expect(run.status == 0, "\(run.output)")
        }
    }

    @Test func `batond reaches the agent`() async throws {
        try await withPolicy { bus, batond, _ in
            let agent = try await bus.connect()
            var object = ServedObject()
            object.answer(Agent1.closeSignIn) { _, _ in true }
            try await agent.serve(object, at: Agent1.path)
            #expect(try await batond.call(Agent1.closeSignIn, to: agent.uniqueName, at: Agent1.path))
        }
    }
}
