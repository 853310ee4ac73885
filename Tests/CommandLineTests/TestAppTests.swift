import BusTesting
import FoundationEssentials
import Glibc
import TerminalTesting
import Testing

/// Real apps, in Python and Swift, on a terminal that `test-app` makes.
@Suite(.timeLimit(.minutes(5)))
struct TestAppTests {
    private let place: Terminal

    init() throws { place = try Terminal() }

    private func test(
        _ options: [String], _ command: [String], environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: String) {
        let program = try place.run(["batonctl", "test-app"] + options + ["--"] + command, environment: environment)
        let status = await program.end()
        return (status, program.output)
    }

    private var data: String { "\(place.folder)/data" }

    /// Answers everything as asked, in Python, but what the script says otherwise.
    private func app(_ clear: String, outcome: String = "cleared") throws -> [String] {
        try place.write(
            """
            import os, sys, time, dbus, dbus.mainloop.glib
            from gi.repository import GLib
            NAME, PATH = "org.baton.Device1", "/org/baton/Device1"
            notes = sys.argv[1] + "/notes"
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.SessionBus()
            target = bus.get_object(NAME, PATH, follow_name_owner_changes=True)
            apps = dbus.Interface(target, NAME + ".Participants")
            instance = None
            def clear():
                \(clear)
            def acknowledge(epoch):
                clear()
                apps.Acknowledge(dbus.UInt64(epoch), dbus.UInt64(instance), "\(outcome)", dbus.Dictionary(signature="sv"))
            def register(owner):
                global instance
                if not owner: return
                instance, epoch, phase, through, account = apps.Register(
                    "org.example.Trial", dbus.UInt64(0), dbus.Dictionary(signature="sv"))
                if through: acknowledge(through)
                if account: open(notes, "w").write("x")
            target.connect_to_signal("SignedIn", lambda e, a: open(notes, "w").write("x"), NAME)
            target.connect_to_signal("SigningOut", lambda e, a, r, d: acknowledge(e), NAME)
            bus.watch_name_owner(NAME, register)
            GLib.MainLoop().run()
            """, to: "app.py")
        return ["python3", "\(place.folder)/app.py", data]
    }

    private static let honest = "os.path.exists(notes) and os.remove(notes)"

    @Test func `the examples pass every step`() async throws {
        let python = try await test(
            ["--app", "org.example.WardList", "--data", data],
            ["\(Terminal.package)/Examples/ward-list.py", data])
        #expect(python.status == 0, "\(python.output)")
        #expect(python.output.contains("org.example.WardList takes part as it should"))
        // It clears so quickly that it cannot be killed in the middle of it, and the report says so.
        #expect(python.output.contains("untried  It is killed while it clears"), "\(python.output)")
        #expect(python.output.contains("as far as it was tried: 1 of 6 steps were not"))
        #expect(python.output.contains("The worker's files were still there."))
        let swift = try await test(
            ["--app", "org.example.Handover", "--data", data, "--json"],
            ["\(Terminal.binaries)/baton-example-handover", data])
        #expect(swift.status == 0, "\(swift.output)")
        #expect(swift.output.contains(#""passed" : true"#))
        for step in ["sign-out", "missed-sign-out", "killed-while-clearing", "straight-over", "daemon-restart"] {
            #expect(swift.output.contains("\"\(step)\""))
        }
    }

    @Test func `an app that says it cleared and did not is called a liar, with the file`() async throws {
        let (status, output) = try await test(["--data", data], try app("pass"))
        #expect(status == 1)
        #expect(output.contains("It acknowledged that it had cleared, but \(data)/notes is still there."), "\(output)")
    }

    /// One fault each, and otherwise honest; it keeps a file for each worker.
    private func faulty(_ fault: String) throws -> [String] {
        try place.write(Self.faulty, to: "faulty.py")
        return ["python3", "\(place.folder)/faulty.py", fault, data, "\(place.folder)/mark"]
    }

    private static let faulty = """
        import os, sys, dbus, dbus.mainloop.glib
        from gi.repository import GLib
        NAME, PATH = "org.baton.Device1", "/org/baton/Device1"
        fault, data, mark = sys.argv[1:]
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        target = bus.get_object(NAME, PATH, follow_name_owner_changes=True)
        device, apps = dbus.Interface(target, NAME), dbus.Interface(target, NAME + ".Participants")
        instance = worker = None
        def remove(names):
            for name in names:
                if os.path.exists(f"{data}/{name}"): os.remove(f"{data}/{name}")
        def begin(name, name_is_new=False):
            global worker
            # Who holds the device is asked once, and not again when the next one comes straight after.
            if worker is None or name_is_new or fault != "straight-over": worker = name
            open(f"{data}/{name}", "w").close()
            if os.path.exists(mark): os.remove(mark)
        def leaving(epoch):
            # Clearing takes its time; these two write down too early, or only now, that there is something to clear.
            if fault in ("missed-sign-out", "killed-while-clearing"): open(mark, "w").close()
            GLib.timeout_add(2500 if fault == "killed-while-clearing" else 200, cleared, epoch)
        def cleared(epoch):
            remove([worker] if fault in ("straight-over", "daemon-restart") else os.listdir(data))
            acknowledge(epoch)
        def acknowledge(epoch):
            apps.Acknowledge(dbus.UInt64(epoch), dbus.UInt64(instance), "cleared", dbus.Dictionary(signature="sv"))
        def register(owner):
            global instance
            if not owner: return
            instance, epoch, phase, through, account = apps.Register(
                "org.example.Faulty", dbus.UInt64(0), dbus.Dictionary(signature="sv"))
            if through:
                begun = os.path.exists(mark)
                if fault == "missed-sign-out" and not begun: pass
                elif fault == "killed-while-clearing" and begun: pass
                else: remove(os.listdir(data))
                acknowledge(through)
                if phase == "in-use": account = device.GetCurrentAccount()[1]
            if account:
                if fault == "clears-at-restart" and worker: remove(os.listdir(data))
                begin(account["username"], True)
                # What it shows again after a restart it keeps in another place, and forgets.
                if fault == "daemon-restart": open(f"{data}/restored", "w").close()
        target.connect_to_signal("SignedIn", lambda e, a: begin(a["username"]), NAME)
        target.connect_to_signal("SigningOut", lambda e, a, r, d: leaving(e), NAME)
        bus.watch_name_owner(NAME, register)
        GLib.MainLoop().run()
        """

    @Test(arguments: [
        "none", "missed-sign-out", "killed-while-clearing", "straight-over", "daemon-restart", "clears-at-restart",
    ])
    func `an app with one fault fails in the step that is about it, and in no other`(_ fault: String) async throws {
        let step = fault == "clears-at-restart" ? "daemon-restart" : fault
        let (status, output) = try await test(["--data", data, "--json"], try faulty(fault))
        #expect(status == (fault == "none" ? 0 : 1), "\(output)")
        let start = try #require(output.firstRange(of: "{\n")?.lowerBound, "\(output)")
        let report = try JSONDecoder().decode(Report.self, from: Data(output[start...].utf8))
        #expect(report.steps.count == 6)
        #expect(report.steps.filter { !$0.passed }.map(\.step) == (fault == "none" ? [] : [step]), "\(output)")
        #expect(output.contains("lost their work: \(data)/ben") == (fault == "clears-at-restart"), "\(output)")
        #expect(report.passed == (fault == "none"))
    }

    private struct Report: Decodable {
        struct Step: Decodable {
            var step: String
            var passed: Bool
        }

        var passed: Bool
        var steps: [Step]
    }

    @Test func `an app that is too slow is told after how long it was stopped`() async throws {
        // Once, and with a worker's data: the other steps would only take longer.
        let slow = """
            mark = notes + ".slow"
                if os.path.exists(notes) and not os.path.exists(mark):
                    open(mark, "w").close()
                    time.sleep(7)
            """
        let (status, output) = try await test(["--data", data], try app(slow))
        #expect(status == 1)
        #expect(output.contains(" ms: it did not acknowledge in time (owed)."), "\(output)")
        #expect(output.contains("It owes: Baton does not know where its data is"), "\(output)")
    }

    @Test func `an app that answers after the soft deadline is told that it is slow`() async throws {
        let (status, output) = try await test(
            ["--data", data], try app("time.sleep(1.6) if os.path.exists(notes) else None; \(Self.honest)"))
        #expect(status == 0, "\(output)")
        #expect(output.contains("It was slow ("), "\(output)")
    }

    @Test func `without a watch on folders the report says that losses over a restart were not looked for`()
        async throws
    {
        let usedUp = try await place.preload(
            """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int inotify_init1(int flags) {
                if (strcmp(program_invocation_short_name, "batonctl")) return syscall(SYS_inotify_init1, flags);
                errno = EMFILE;
                return -1;
            }
            """)
        let (status, output) = try await test(["--data", data], try faulty("clears-at-restart"), environment: usedUp)
        #expect(status == 0, "\(output)")
        #expect(output.contains("untried  batond is killed and comes back"), "\(output)")
        #expect(output.contains("outlived the restart was not checked"), "\(output)")
        #expect(!output.contains("The worker's files were still there."), "\(output)")
    }

    @Test func `without data folders the report asks for them`() async throws {
        let (status, output) = try await test([], try app("pass"))
        #expect(status == 0, "\(output)")
        #expect(output.contains("Without --data FOLDER no files were checked"), "\(output)")
    }

    @Test func `an app that never registers, or ends, or has another id, hears just that`() async throws {
        let silent = try await test([], ["sleep", "1000"])
        #expect(silent.status == 1)
        #expect(silent.output.contains("It did not call Register"), "\(silent.output)")
        let gone = try await test([], ["sh", "-c", "exit 3"])
        #expect(gone.status == 1)
        #expect(gone.output.contains("It ended with exit code 3 before it had registered."), "\(gone.output)")
        let other = try await test(["--app", "org.example.Other"], try app(Self.honest))
        #expect(other.status == 1)
        #expect(
            other.output.contains("It registered as org.example.Trial, not as org.example.Other."), "\(other.output)")
    }

    @Test func `an interrupted test leaves nothing running`() async throws {
        let program = try place.run(["batonctl", "test-app", "--", "sh", "-c", "echo app $$; exec sleep 1000"])
        let app = try #require(Int32(try await program.line(containing: "app ").dropFirst(4)))
        program.signal(SIGINT)
        #expect(await program.end() == 1)
        #expect(!Puppet.isRunning(app))
    }
}
