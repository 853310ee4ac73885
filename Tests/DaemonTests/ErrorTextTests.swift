import Baton
import TerminalTesting
import Testing

/// Apps in other languages read an error's text, and its details by a second call.
@Suite("Errors in other languages", .timeLimit(.minutes(2)))
struct ErrorTextTests {
    /// Prints the text of the error as the binding gives it, then the details.
    private static let pyGObject = """
        import re
        from gi.repository import Gio, GLib
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        def call(interface, method, arguments):
            return bus.call_sync("org.baton.Device1", "/org/baton/Device1", "org.baton.Device1." + interface, method,
                arguments, None, Gio.DBusCallFlags.NONE, -1, None)
        try:
            app = call("Participants", "Register", GLib.Variant("(sta{sv})", ("org.example.GLib", 0, {}))).unpack()
            call("Participants", "Acknowledge", GLib.Variant("(ttsa{sv})", (app[3], app[0], "cleared", {})))
            call("Tokens", "AcquireTokenSilently", GLib.Variant("(a{sv})", ({},)))
        except GLib.Error as error:
            print("name", Gio.DBusError.get_remote_error(error))
            print("text", error.message)
            id = re.search(r"\\(Correlation ID: (.+)\\)$", error.message)[1]
            print("details", call("Tokens", "GetErrorDetails", GLib.Variant("(s)", (id,))).unpack()[0])
        """

    private static let pythonDBus = """
        import re, dbus
        bus = dbus.SessionBus()
        device = bus.get_object("org.baton.Device1", "/org/baton/Device1")
        apps = dbus.Interface(device, "org.baton.Device1.Participants")
        tokens = dbus.Interface(device, "org.baton.Device1.Tokens")
        app = apps.Register("org.example.Python", dbus.UInt64(0), dbus.Dictionary(signature="sv"))
        apps.Acknowledge(app[3], app[0], "cleared", dbus.Dictionary(signature="sv"))
        try:
            tokens.AcquireTokenSilently(dbus.Dictionary({"correlation-id": "my-own"}, signature="sv"))
        except dbus.DBusException as error:
            print("name", error.get_dbus_name())
            print("text", error.get_dbus_message())
            print("arguments", len(error.args))
            id = re.search(r"\\(Correlation ID: (.+)\\)$", error.get_dbus_message())[1]
            print("details", {str(key): str(value) for key, value in tokens.GetErrorDetails(id).items()})
        """

    @Test(arguments: [pyGObject, pythonDBus])
    func `show the text, and give the details to the connection that asks`(_ script: String) async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        try await Peer(terminal).signIn("ana", pin: "1234")
        try terminal.write(script, to: "app.py")
        let app = try terminal.run(["/usr/bin/python3", "\(terminal.folder)/app.py"])
        #expect(await app.end() == 0, "\(app.output)")
        #expect(app.output.contains("name org.baton.Error.ProviderRejected"), "\(app.output)")
        #expect(app.output.contains("identity.kind"), "\(app.output)")
        #expect(app.output.contains("'reason': 'local_accounts'"), "\(app.output)")
        if script == Self.pythonDBus {
            #expect(app.output.contains("arguments 1"), "\(app.output)")
            #expect(app.output.contains("'correlation-id': 'my-own'"), "\(app.output)")
        }
        withExtendedLifetime(daemon) {}
    }

    @Test func `gdbus shows the text, and another connection gets no details`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        func gdbus(_ method: String, _ argument: String) async throws -> String {
            let program = try terminal.run([
                "gdbus", "call", "--session", "--dest", "org.baton.Device1", "--object-path", "/org/baton/Device1",
                "--method", "org.baton.Device1.Tokens.\(method)", argument,
            ])
            #expect(await program.end() != 0)
            return program.output
        }
        let refused = try await gdbus("AcquireTokenSilently", "{'correlation-id': <'seen-by-all'>}")
        #expect(
            refused.contains("org.baton.Error.NotRegistered") && refused.contains("(Correlation ID: seen-by-all)"),
            "\(refused)")
        let other = try await gdbus("GetErrorDetails", "'seen-by-all'")
        #expect(other.contains("org.baton.Error.InvalidArgument"), "\(other)")
        withExtendedLifetime(daemon) {}
    }
}
