import BusTesting
import DBus
import FolderTesting
import Glibc
import TerminalTesting
import Testing

/// The system bus policy in a real dbus-daemon, with users of every Debian system in the roles of `baton` and `kiosk`.
@Suite("The system bus policy", .timeLimit(.minutes(1)))
struct BusPolicyTests {
    private static let file = "\(Terminal.package)/dbus/org.baton.Device1.conf"

    @Test func `a dbus-daemon takes it as it is`() async throws {
        let bus = try PrivateBus(policy: Self.surroundings + "<include>\(Self.file)</include>")
        let connection = try await bus.connect()
        await connection.close()
        bus.stop()
    }

    @Test(.enabled(if: geteuid() == 0, "needs to become other users"))
    func
        `only batond owns the name, only the kiosk calls it, only its agent as such, and only administrators administer`()
        async throws
    {
        let baton = "daemon"
        let kiosk = "games"
        let stranger = "man"
        // The kiosk's user, and a group that its other programs do not have.
        let agent = "mail"
        let folder = try TemporaryFolder("policy")
        chmod(folder.path, 0o755)
        let conf = "\(folder.path)/policy.conf"
        let edit = try Program([
            "sh", "-c",
            #"sed 's/user="baton"/user="\#(baton)"/; s/group="baton-agent"/group="\#(agent)"/; s/group="kiosk"/group="\#(kiosk)"/' '\#(Self.file)' >'\#(conf)'"#,
        ])
        #expect(await edit.end() == 0)
        let bus = try PrivateBus(policy: Self.surroundings + "<include>\(conf)</include>")
        chmod(bus.folder, 0o755)
        func run(_ user: String, _ command: [String]) throws -> Program {
            let identity =
                user == agent
                ? ["setpriv", "--reuid", kiosk, "--regid", agent, "--groups", kiosk]
                : ["setpriv", "--reuid", user, "--regid", user, "--init-groups"]
            return try Program(
                (user == "root" ? [] : identity) + command,
                environment: ["DBUS_SESSION_BUS_ADDRESS": bus.rawAddress, "HOME": "/"])
        }
        func own(_ user: String) throws -> Program {
            try run(user, ["/usr/bin/python3", "-c", Self.owner])
        }
        func call(_ user: String, _ method: String) async throws -> String {
            let words = method.split(separator: " ").map(String.init)
            let program = try run(
                user,
                ["dbus-send", "--bus=\(bus.rawAddress)", "--print-reply", "--dest=org.baton.Device1"]
                    + ["/org/baton/Device1"] + words)
            _ = await program.end()
            return program.output.contains("AccessDenied") ? "denied" : program.output
        }

        for user in [kiosk, stranger, "root"] {
            #expect(try await own(user).line(containing: "AccessDenied") != "")
        }
        let daemon = try own(baton)
        try await daemon.line(containing: "owned")
        let listener = try run(stranger, ["/usr/bin/python3", "-c", Self.listener])
        let welcome = try run(kiosk, ["/usr/bin/python3", "-c", Self.listener])
        for program in [listener, welcome] { try await program.line(containing: "listening") }

        let device = "org.baton.Device1.GetDeviceMode"
        let participants = "org.baton.Device1.Participants.List"
        let administration = "org.baton.Device1.Administration.Reload"
        let agents = "org.baton.Device1.Agent.ProcessExited uint64:1"
        for method in [device, participants, administration, agents] {
            #expect(try await call(stranger, method) == "denied", "\(method)")
        }
        for method in [device, participants] {
            #expect(try await call(kiosk, method).contains("served"), "\(method)")
        }
        for method in [device, participants, agents] {
            #expect(try await call(agent, method).contains("served"), "\(method)")
        }
        for method in [administration, agents] {
            #expect(try await call(kiosk, method) == "denied", "\(method)")
        }
        #expect(try await call(agent, administration) == "denied")
        for method in [device, participants, administration] {
            #expect(try await call("root", method).contains("served"), "\(method)")
        }
        #expect(try await call("root", agents) == "denied")
        // Signals go to the kiosk and to nobody else. Both are told on the bus's own object when all was sent.
        try await welcome.line(containing: "heard SignedIn")
        try await welcome.line(containing: "heard the end")
        try await listener.line(containing: "heard the end")
        #expect(!listener.output.contains("SignedIn"))
        daemon.signal(SIGKILL)
    }

    /// What the system's own configuration says, around ours.
    private static let surroundings = """
        <policy context="default">
          <allow user="*"/><deny own="*"/><deny send_type="method_call"/>
          <allow send_type="signal"/>
          <allow send_requested_reply="true" send_type="method_return"/>
          <allow send_requested_reply="true" send_type="error"/>
          <allow receive_type="method_call"/><allow receive_type="method_return"/>
          <allow receive_type="error"/><allow receive_type="signal"/>
          <allow send_destination="org.freedesktop.DBus"/>
        </policy>
        """

    /// Owns the name, answers everything with `served`, and sends a signal and then one that everybody hears.
    private static let owner = """
        import dbus, dbus.lowlevel, dbus.service, dbus.mainloop.glib
        from gi.repository import GLib
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        calls = 0
        def answer(connection, message):
            global calls
            if not isinstance(message, dbus.lowlevel.MethodCallMessage): return 1
            reply = dbus.lowlevel.MethodReturnMessage(message)
            reply.append('served')
            connection.send_message(reply)
            calls += 1
            if calls == 6:
                connection.send_message(
                    dbus.lowlevel.SignalMessage('/org/baton/Device1', 'org.baton.Device1', 'SignedIn'))
                connection.send_message(dbus.lowlevel.SignalMessage('/end', 'org.baton.Test', 'End'))
            return 0
        bus.add_message_filter(answer)
        try:
            name = dbus.service.BusName('org.baton.Device1', bus)
            print('owned', flush=True)
            GLib.MainLoop().run()
        except dbus.DBusException as error:
            print(error.get_dbus_name(), flush=True)
        """

    private static let listener = """
        import dbus, dbus.mainloop.glib
        from gi.repository import GLib
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        bus.add_signal_receiver(lambda: print('heard SignedIn', flush=True), 'SignedIn', 'org.baton.Device1')
        bus.add_signal_receiver(lambda: print('heard the end', flush=True), 'End', 'org.baton.Test')
        bus.get_name_owner('org.freedesktop.DBus')
        print('listening', flush=True)
        GLib.MainLoop().run()
        """
}
