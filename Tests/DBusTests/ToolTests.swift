import BusTesting
import DBus
import Testing

/// Other people's tools against our server.
@Suite(.timeLimit(.minutes(1)))
struct ToolTests {
    /// The tools block while they wait, which must not happen on a thread of the pool that the server could need;
    /// the server has its own.
    private func run(_ arguments: [String], on bus: PrivateBus) async throws -> (output: String, status: Int32) {
        try await ChildProcess(arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.rawAddress]).end()
    }

    @Test func `busctl calls, reads and looks around`() async throws {
        try await withSample { bus, server, _ async throws in
            try await server.own("org.example.Sample")
            let start = ["busctl", "--address=\(bus.rawAddress)"]
            let place = ["org.example.Sample", Sample.path.rawValue]
            let call = try await run(
                start + ["call"] + place + ["org.example.Sample", "Swap", "ta{sv}", "7", "1", "k", "s", "v"], on: bus)
            #expect(call.output == "a{sv}t 1 \"k\" s \"v\" 7\n")
            let property = try await run(start + ["get-property"] + place + ["org.example.Sample", "Phase"], on: bus)
            #expect(property.output == "s \"ready\"\n")
            let look = try await run(start + ["introspect"] + place, on: bus)
            #expect(look.status == 0)
            #expect(look.output.contains(".Swap"))
            #expect(look.output.contains("emits-change"))
        }
    }

    @Test func `gdbus calls and introspects`() async throws {
        try await withSample { bus, server, _ async throws in
            try await server.own("org.example.Sample")
            let place = ["--session", "--dest", "org.example.Sample", "--object-path", Sample.path.rawValue]
            let call = try await run(
                ["gdbus", "call"] + place + ["--method", "org.example.Sample.Echo", "hi"], on: bus)
            #expect(call.output == "('hi',)\n")
            let look = try await run(["gdbus", "introspect"] + place, on: bus)
            #expect(look.status == 0)
            #expect(look.output.contains("Swap(in  t number,"))
            let refused = try await run(
                ["gdbus", "call"] + place + ["--method", "org.example.Sample.Fail", "named"], on: bus)
            #expect(refused.status != 0)
            #expect(refused.output.contains("org.example.Error.Refused: Not today."))
        }
    }

    @Test func `python3-dbus calls without an interface, and always reaches the one that was served first`()
        async throws
    {
        let interfaces: [InterfaceName] = [
            "org.example.M", "org.example.A", "org.example.Z", "org.example.G", "org.example.T", "org.example.C",
            "org.example.K", "org.example.Q",
        ]
        let script = """
            import dbus, dbus.lowlevel
            bus = dbus.SessionBus()
            call = dbus.lowlevel.MethodCallMessage("org.example.Sample", "\(Sample.path.rawValue)", None, "Which")
            print(bus.send_message_with_reply_and_block(call, 20).get_args_list()[0])
            """
        try await withSample(extend: { object in
            for interface in interfaces {
                let which = Method(interface, "Which", gives: Arguments(("interface", String.self)))
                object.answer(which) { _, _ in interface.rawValue }
            }
        }) { bus, server, _ async throws in
            try await server.own("org.example.Sample")
            let call = try await run(["/usr/bin/python3", "-I", "-c", script], on: bus)
            #expect(call.output == "org.example.M\n")
        }
    }

    @Test func `dbus-send calls, and is told what is wrong`() async throws {
        try await withSample { bus, server, _ async throws in
            try await server.own("org.example.Sample")
            let start = [
                "dbus-send", "--session", "--print-reply=literal", "--dest=org.example.Sample", Sample.path.rawValue,
            ]
            let call = try await run(start + ["org.example.Sample.Echo", "string:hi"], on: bus)
            #expect(call.output.contains("hi"))
            let wrong = try await run(start + ["org.example.Sample.Echo", "int32:1"], on: bus)
            #expect(wrong.output.contains("org.freedesktop.DBus.Error.InvalidArgs"))
        }
    }
}
