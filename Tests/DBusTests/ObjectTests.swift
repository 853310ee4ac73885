import BusTesting
import DBus
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ObjectTests {
    @Test func `properties can be read one by one and together`() async throws {
        try await withSample { _, server, client async throws in
            let proxy = Proxy(client, server.uniqueName, Sample.path)
            #expect(try await proxy.get(Sample.phase) == "ready")
            #expect(try await proxy.get(Sample.account) == ["name": .string("Ana")])
            #expect(
                try await proxy.getAll(Sample.interface) == [
                    "Phase": .string("ready"), "Account": .dictionary(["name": .string("Ana")]), "Version": .uint32(1),
                ])
        }
    }

    /// What tells that it is gone.
    private final class Farewell: Sendable {
        let gone: AsyncStream<Void>.Continuation

        init(_ gone: AsyncStream<Void>.Continuation) { self.gone = gone }

        deinit { gone.finish() }
    }

    @Test func `a connection may be held by nothing but what another one serves`() async throws {
        try await withPrivateBus { bus in
            for _ in 0..<50 {
                let (end, gone) = AsyncStream.makeStream(of: Void.self)
                do {
                    let (holder, held) = (try await bus.connect(), try await bus.connect())
                    let farewell = Farewell(gone)
                    var object = ServedObject()
                    object.answer(Method(Sample.interface, "Name", gives: Arguments(("name", String.self)))) { _, _ in
                        withExtendedLifetime(farewell) { held.uniqueName.rawValue }
                    }
                    try await holder.serve(object, at: Sample.path)
                }
                for await _ in end {}
            }
        }
    }

    @Test func `nobody sets a property`() async throws {
        try await withSample { _, server, client async throws in
            let proxy = Proxy(client, server.uniqueName, Sample.path)
            for (name, expected) in [("Phase", ErrorName.propertyReadOnly), ("Nothing", .unknownProperty)] {
                let error = await #expect(throws: DBusError.self) {
                    try await proxy.set(Sample.interface, #require(MemberName(name)), .string("in-use"))
                }
                #expect(error?.name == expected)
            }
            #expect(try await proxy.get(Sample.phase) == "ready")
        }
    }

    @Test func `unknown properties and interfaces are named as such`() async throws {
        try await withSample { _, server, client async throws in
            let proxy = Proxy(client, server.uniqueName, Sample.path)
            let unknown = await #expect(throws: DBusError.self) {
                try await proxy.get(Property<String>(Sample.interface, "Nothing"))
            }
            #expect(unknown?.name == .unknownProperty)
            let interface = await #expect(throws: DBusError.self) { try await proxy.getAll("org.example.None") }
            #expect(interface?.name == .unknownInterface)
            await #expect(throws: DBusError.invalidReply(expected: "b", received: "s")) {
                try await proxy.get(Property<Bool>(Sample.interface, "Phase"))
            }
        }
    }

    @Test func `introspection shows what was declared, and the way to it`() async throws {
        try await withSample { _, server, client async throws in
            let xml = try await Proxy(client, server.uniqueName, Sample.path).introspect()
            #expect(xml.contains(#"<interface name="org.example.Sample">"#))
            #expect(xml.contains(#"<arg name="options" type="a{sv}" direction="out"/>"#))
            #expect(xml.contains(#"<signal name="Tick">"#))
            #expect(xml.contains(#"<property name="Phase" type="s" access="read"/>"#))
            #expect(xml.contains(#"EmitsChangedSignal" value="const"/>"#))
            let root = try await Proxy(client, server.uniqueName, "/").introspect()
            #expect(root.contains(#"<node name="org"/>"#))
            let parent = try await Proxy(client, server.uniqueName, "/org/example").introspect()
            #expect(parent.contains(#"<node name="Sample"/>"#))
            #expect(!parent.contains("org.example.Sample\""))
        }
    }

    @Test func `every object answers Peer`() async throws {
        try await withSample { _, server, client async throws in
            try await Proxy(client, server.uniqueName, Sample.path).ping()
            try await Proxy(client, server.uniqueName, "/anywhere").ping()
            let machineID = Method(
                "org.freedesktop.DBus.Peer", "GetMachineId", gives: Arguments(("machine_uuid", String.self)))
            do {
                let identity = try await client.call(machineID, to: server.uniqueName, at: "/")
                #expect(identity.count == 32)
            } catch let error as DBusError {
                // A machine may have none.
                #expect(error.name == .failed)
            }
        }
    }

    @Test func `an object that is no longer served is unknown`() async throws {
        try await withSample { _, server, client async throws in
            await server.stopServing(at: Sample.path)
            let error = await #expect(throws: DBusError.self) {
                try await client.call(Sample.echo, "a", to: server.uniqueName, at: Sample.path)
            }
            #expect(error?.name == .unknownObject)
        }
    }

    @Test func `handlers start in the order of the calls, on the bus thread`() async throws {
        let order = Happenings<String>()
        try await withSample(extend: { object in
            object.answer(Sample.echo) { caller, text in
                order.report(caller.connection.thread.isCurrent ? text : "elsewhere")
                return text
            }
        }) { _, server, client async throws in
            for number in 0..<20 {
                try client.post(Sample.echo, "\(number)", to: server.uniqueName, at: Sample.path)
            }
            for number in 0..<20 { #expect(await order.next() == "\(number)") }
        }
    }

    actor Neighbour {
        let connection: Connection
        nonisolated var unownedExecutor: UnownedSerialExecutor { connection.thread.asUnownedSerialExecutor() }

        init(_ connection: Connection) { self.connection = connection }

        func check(_ before: Bool) -> Bool { before && connection.thread.isCurrent }
    }

    @Test func `an actor may share the thread of a connection`() async throws {
        let answers = Happenings<Bool>()
        try await withSample(extend: { object in
            object.answer(Sample.wait) { caller, _ in
                answers.report(await Neighbour(caller.connection).check(caller.connection.thread.isCurrent))
            }
        }) { _, server, client async throws in
            try await client.call(Sample.wait, to: server.uniqueName, at: Sample.path)
            #expect(await answers.next() == true)
        }
    }
}
