import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    @Suite("Asking for time, and leaving", .timeLimit(.minutes(3)))
    struct ExtendAndLeaveTests {
        static let app = "org.example.App"
        let terminal: Terminal
        let daemon: Program
        let desk: Peer

        init() async throws {
            terminal = try Terminal(settings: "barrier: {soft: 4s, hard: 10s, containment: 6s, absolute: 20s}\n")
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
        }

        @Test func `an app extends twice, not beyond what containment needs, and no third time`() async throws {
            let (app, other) = (try await Puppet(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(Self.app)
            let second = try await other.peer.register("org.example.Other")
            let epoch = try await desk.signIn("ana", pin: "1234")
            func extend(_ peer: Peer, _ epoch: Epoch, _ instance: Instance, _ milliseconds: UInt32) async throws
                -> UInt64
            {
                try await peer.call(Participants.extend, (epoch, instance, milliseconds))
            }
            func refusal(_ peer: Peer, _ epoch: Epoch, _ instance: Instance) async throws -> String? {
                try await peer.refusal { _ = try await extend(peer, epoch, instance, 1000) }
            }
            #expect(try await refusal(app.peer, epoch, registration.instance) == "StaleEpoch")
            let signOut = try await desk.beginSignOut()
            let hard = try await Proxy(desk.connection, Device1.busName, Device1.path).get(Device1.deadline)
            #expect(try await refusal(other.peer, epoch, registration.instance) == "NotAuthorized")
            #expect(try await refusal(app.peer, epoch.next, registration.instance) == "StaleEpoch")
            #expect(try await refusal(app.peer, epoch, 4711) == "NotRegistered")
            #expect(try await extend(app.peer, epoch, registration.instance, 1000) == hard + 1_000_000)
            // hard 10 s, absolute 20 s, containment 6 s: four seconds are left.
            #expect(try await extend(app.peer, epoch, registration.instance, .max) == hard + 4_000_000)
            #expect(try await refusal(app.peer, epoch, registration.instance) == "LimitExceeded")
            #expect(try await extend(other.peer, epoch, second.instance, 0) == hard)
            try await app.peer.acknowledge(epoch, registration.instance)
            #expect(try await refusal(app.peer, epoch, registration.instance) == "InvalidArgument")
            try await other.peer.acknowledge(epoch, second.instance)
            #expect(try await signOut.value?.outcome == .cleared)
        }

        @Test func `an extension is its app's alone, and who then answers is not stopped`() async throws {
            let terminal = try Terminal(
                settings: "barrier: {soft: 300ms, hard: 8s, containment: 4s, absolute: 20s}\n")
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            let (app, silent) = (try await Puppet(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register(Self.app)
            try await silent.peer.register("org.example.Silent")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            _ = try await app.peer.call(Participants.extend, (epoch, registration.instance, 10_000))
            // The other one is stopped at the common deadline, which so has passed.
            try await desk.waitForList { $0.contains { $0.app == "org.example.Silent" && $0.state == .owed } }
            #expect(try await desk.phase() == "clearing")
            #expect(app.isRunning && !silent.isRunning)
            try await app.peer.acknowledge(epoch, registration.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.participant(Self.app)?.outcome == .cleared)
            #expect(receipt.participant("org.example.Silent")?.outcome == .owed)
            #expect(app.isRunning)
            withExtendedLifetime(daemon) {}
        }

        @Test func `an app that leaves owes nothing afterwards`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            #expect(
                try await desk.refusal { try await desk.call(Participants.leave, registration.instance) }
                    == "NotAuthorized")
            try await app.peer.call(Participants.leave, registration.instance)
            #expect(
                try await app.peer.refusal { try await app.peer.call(Participants.leave, registration.instance) }
                    == "NotRegistered")
            await app.program.kill()
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participants.map(\.outcome) == [.cleared])
            #expect(try await desk.list().isEmpty)
            #expect(receipt.epoch == epoch)
        }

        /// Registers and leaves, and ends without waiting for the answer to that.
        private static let hasty = """
            import os, sys, dbus, dbus.lowlevel
            bus = dbus.SessionBus(private=True)
            apps = dbus.Interface(bus.get_object("org.baton.Device1", "/org/baton/Device1"), "org.baton.Device1.Participants")
            instance = apps.Register(sys.argv[1], dbus.UInt64(0), dbus.Dictionary(signature="sv"))[0]
            leave = dbus.lowlevel.MethodCallMessage(
                "org.baton.Device1", "/org/baton/Device1", "org.baton.Device1.Participants", "Leave")
            leave.append(dbus.UInt64(instance), signature="t")
            if len(sys.argv) == 2: bus.send_message(leave)
            bus.flush()
            os._exit(0)
            """

        @Test func `an app that leaves and ends at once has left, and one that merely ends is gone`() async throws {
            try terminal.write(Self.hasty, to: "hasty.py")
            func run(_ arguments: String...) async throws {
                let program = try terminal.run(["/usr/bin/python3", "\(terminal.folder)/hasty.py"] + arguments)
                #expect(await program.end() == 0, "\(program.output)")
            }
            try await desk.signIn("ana", pin: "1234")
            // The news that a connection left follows its last call so closely that one app alone might be lucky.
            for number in 1...16 { try await run("org.example.Hasty\(number)") }
            try await run("org.example.Silent", "without a word")
            try await desk.waitForList { list in
                list.count == 17 && list.allSatisfy { $0.instance == 0 }
            }
            let states = Dictionary(grouping: try await desk.list(), by: \.state).mapValues { $0.map(\.app) }
            #expect(states[.left]?.count == 16 && states[.gone] == ["org.example.Silent"], "\(states)")
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.rejected.isEmpty)
            #expect(receipt.participants.filter { $0.outcome == .cleared }.count == 16, "\(receipt.participants)")
            #expect(receipt.participant("org.example.Silent")?.outcome == .owed)
        }

        @Test func `the properties show an app that must clear no account`() async throws {
            let app = try await Puppet(terminal)
            try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            #expect(try await desk.signOut()?.outcome == .owed)
            try await desk.signIn("bo", pin: "5678")
            let again = try await Peer(terminal)
            let registration = try await again.register(Self.app, clears: false)
            let device = Proxy(again.connection, Device1.busName, Device1.path)
            for property in [Device1.currentAccount, Device1.previousAccount] {
                #expect(try await again.refusal { _ = try await device.get(property) } == "StaleEpoch")
            }
            let some = try await device.getAll(Device1.interface)
            #expect(some["CurrentAccount"] == nil && some["PreviousAccount"] == nil)
            #expect(some["Phase"] == .string("in-use"))
            try await again.acknowledge(registration.clearThrough, registration.instance)
            #expect(try await device.get(Device1.currentAccount)["username"] == .string("bo"))
            #expect(try await device.getAll(Device1.interface)["CurrentAccount"] != nil)
        }

        @Test func `leaving while the worker is cleared away is an acknowledgement`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            try await app.peer.call(Participants.leave, registration.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participant(Self.app)?.outcome == .cleared)
            #expect(try await desk.list().isEmpty)
        }

        @Test func `leaving pays an older debt`() async throws {
            var app = try await Puppet(terminal)
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            #expect(try await desk.signOut()?.outcome == .owed)
            app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app, clears: false)
            #expect(registration.clearThrough == epoch)
            try await app.peer.call(Participants.leave, registration.instance)
            #expect(try await desk.list().isEmpty)
            try await desk.signIn("bo", pin: "5678")
            #expect(try await desk.signOut()?.debts.isEmpty == true)
        }
    }
}
