import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    @Suite("The contract's XML and the tools that read it", .timeLimit(.minutes(3)))
    struct ContractTests {
        let terminal: Terminal
        let daemon: Program
        let desk: Peer

        init() async throws {
            terminal = try Terminal(settings: Terminal.patient)
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
        }

        private static func document(_ name: String) -> String { "\(Terminal.package)/dbus/\(name).xml" }

        /// The interfaces, members, arguments and annotations of a document, without comments.
        private func declarations(_ document: String) async throws -> String {
            try terminal.write(document, to: "data/introspection.xml")
            return try await declarations(in: "\(terminal.folder)/data/introspection.xml")
        }

        private func declarations(in file: String) async throws -> String {
            try await output(["sh", "-c", "exec \(Terminal.package)/Tests/RoundTests/introspection.py <'\(file)'"])
        }

        private func output(_ command: [String]) async throws -> String {
            let program = try terminal.run(command)
            let status = await program.end()
            #expect(status == 0, "\(command): \(program.output)")
            return program.output
        }

        @Test func `the running daemon says what its XML says`() async throws {
            let written = try await declarations(in: Self.document("org.baton.Device1"))
            #expect(written.contains("method SignOut in options:a{sv} out epoch:t out receipt:a{sv}"))
            let shown = try await Proxy(desk.connection, Device1.busName, Device1.path).introspect()
            #expect(try await declarations(shown) == written)
            let printed = try await output(["batond", "--introspect"])
            #expect(try await declarations(printed) == written)
        }

        @Test func `the running agent says what its XML says`() async throws {
            let agent = try await AgentProcess(of: daemon, on: terminal)
            let shown = try await Proxy(desk.connection, agent.name, Agent1.path).introspect()
            let written = try await declarations(in: Self.document("org.baton.Agent1"))
            #expect(try await declarations(shown) == written)
        }

        @Test func `the manual names every key that a dictionary brings, with its type`() async throws {
            let manual = try await output(["cat", Self.document("org.baton.Device1")])
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register("org.example.App")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            _ = try? await app.peer.acknowledge(epoch, 4711)
            var rows = try await desk.call(Participants.list)
            try await app.peer.acknowledge(epoch, registration.instance)
            _ = try await signOut.value
            var receipt = try await desk.call(Device1.getReceipt, epoch)
            rows += [receipt, try await desk.call(Device1.getDeviceInformation)]
            receipt["account"] = nil
            for value in receipt.values { rows += value.dictionaries ?? value.dictionary.map { [$0] } ?? [] }
            #expect(rows.count > 5)
            for (key, value) in rows.joined() {
                #expect(manual.contains("\(key) \(value.typeSignature)"), "\(key) \(value.typeSignature)")
            }
        }

        @Test(arguments: ["org.baton.Device1", "org.baton.Agent1"])
        func `gdbus-codegen takes it`(name: String) async throws {
            let file = Self.document(name)
            for option in ["--interface-info-header", "--interface-info-body"] {
                let code = "\(terminal.folder)/data/code"
                _ = try await output(["gdbus-codegen", option, "--output", code, file])
                #expect(try await output(["cat", code]).isEmpty == false)
            }
        }

        @Test func `dbus-send, gdbus and busctl drive it`() async throws {
            try await desk.signIn("ana", pin: "1234")
            let name = "org.baton.Device1"
            let path = "/org/baton/Device1"
            let sent = try await output(
                ["dbus-send", "--session", "--print-reply", "--dest=\(name)", path, "\(name).GetCurrentAccount"])
            #expect(sent.contains("uint64 ") && sent.contains("Ana Horvat"))
            let read = try await output(["busctl", "--user", "get-property", name, path, name, "Phase"])
            #expect(read == #"s "in-use""#)
            let called = try await output([
                "gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", "\(name).SignOut",
                "{'reason': <'user'>}",
            ])
            #expect(called.contains("'outcome': <'cleared'>"))
            #expect(try await desk.phase() == "ready")
        }

        @Test func `arguments of other types are refused by the bus's own name, and nothing happens`() async throws {
            try await desk.signIn("ana", pin: "1234")
            let wrong: [(InterfaceName, MemberName)] = [
                (Device1.interface, "SignOut"), (Device1.interface, "SignIn"), (Device1.interface, "GetReceipt"),
                (Participants.interface, "Register"), (Participants.interface, "Acknowledge"),
                (Administration.interface, "EndQuarantine"), (DeviceAgent.interface, "Register"),
            ]
            for (interface, member) in wrong {
                let method = Method(interface, member, takes: Arguments(("word", Int32.self)))
                let refusal = try await desk.refusal { try await desk.call(method, 1) }
                #expect(refusal == "org.freedesktop.DBus.Error.InvalidArgs", "\(member)")
            }
            let surplus = Method(Device1.interface, "CancelSignIn", takes: Arguments(("word", String.self)))
            #expect(
                try await desk.refusal { try await desk.call(surplus, "now") }
                    == "org.freedesktop.DBus.Error.InvalidArgs")
            let unknown = Method(Device1.interface, "SignEverybodyOut")
            #expect(
                try await desk.refusal { try await desk.call(unknown) } == "org.freedesktop.DBus.Error.UnknownMethod")
            #expect(try await desk.phase() == "in-use")
            #expect(try await desk.list().isEmpty)
        }

        @Test func `properties are read only, and only batond may ask the agent`() async throws {
            let device = Proxy(desk.connection, Device1.busName, Device1.path)
            let refusal = try await desk.refusal {
                try await device.set(Device1.interface, "Phase", .string("ready"))
            }
            #expect(refusal == "org.freedesktop.DBus.Error.PropertyReadOnly")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            let asked = try await desk.refusal {
                _ = try await desk.connection.call(
                    Agent1.clearSharedHolders, (1, SharedClearing()), to: agent.name, at: Agent1.path)
            }
            #expect(asked == "NotAuthorized")
            #expect(
                try await desk.refusal { _ = try await desk.call(DeviceAgent.register, AgentRegistration()) }
                    == "NotAuthorized")
            #expect(
                try await desk.refusal { try await desk.call(DeviceAgent.processExited, 1) } == "NotAuthorized")
        }
    }
}
