import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    @Suite("Asking for a sign-out", .timeLimit(.minutes(3)))
    struct SignOutTests {
        static let app = "org.example.App"
        let terminal: Terminal
        let daemon: Program
        let desk: Peer

        init() async throws {
            terminal = try Terminal(settings: Terminal.patient)
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
        }

        @Test func `two requests join one sign-out and get the same receipt, whose reason is the first`() async throws {
            let (app, second) = (try await Puppet(terminal), try await Peer(terminal))
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let first = try await desk.beginSignOut()
            // Sent before the next call, which a task of its own might not be.
            let joined = Task.immediate {
                try await second.signOut(["reason": .string("administrator"), "epoch": epoch.variant])
            }
            // The second request is there when what the same connection asks next is answered.
            _ = try await second.phase()
            try await app.peer.acknowledge(epoch, registration.instance)
            let receipts = (try await first.value, try await joined.value)
            let receipt = try #require(receipts.0)
            #expect(receipt == receipts.1)
            #expect(receipt.reason == .user)
            #expect(try await terminal.device().receipts(newest: 10) == [receipt])
        }

        @Test func `with nobody signed in it is a success that does nothing`() async throws {
            let last = try await desk.epoch()
            let (epoch, receipt) = try await desk.call(Device1.signOut, [:])
            #expect(epoch == last && receipt.isEmpty)
            #expect(try await terminal.batonctl("sign-out").status == 0)
            #expect(try await terminal.device().receipts(newest: 10).isEmpty)
        }

        @Test func `of a turn that has ended it leaves the present one alone`() async throws {
            let first = try await desk.signIn("ana", pin: "1234")
            _ = try await desk.signOut()
            try await desk.signIn("bo", pin: "5678")
            let (epoch, receipt) = try await desk.call(Device1.signOut, ["epoch": first.variant])
            #expect(epoch == first && receipt.isEmpty)
            #expect(try await desk.phase() == "in-use")
            let ahead = try await desk.refusal { _ = try await desk.signOut(["epoch": first.advanced(by: 2).variant]) }
            #expect(ahead == "InvalidArgument")
            #expect(try await desk.phase() == "in-use")
        }

        @Test func `a caller that leaves does not stop it`() async throws {
            let (app, caller) = (try await Puppet(terminal), try await Peer(terminal))
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let ended = try await desk.signals(Device1.signedOut)
            let signOut = try await caller.beginSignOut()
            await caller.connection.close()
            #expect(await (try? signOut.value) == nil)
            try await app.peer.acknowledge(epoch, registration.instance)
            for try await signal in ended {
                #expect(signal.values.0 == epoch && signal.values.2 == "cleared")
                break
            }
            #expect(try await desk.phase() == "ready")
        }

        @Test func `nobody signs in while the last worker is being cleared away`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            for (name, pin) in [("bo", "5678"), ("ana", "1234")] {
                #expect(try await desk.refusal { try await desk.signIn(name, pin: pin) } == "SigningOut")
            }
            try await app.peer.acknowledge(epoch, registration.instance)
            #expect(try await signOut.value?.outcome == .cleared)
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
            let signOutAgain = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch.next, registration.instance)
            _ = try await signOutAgain.value
        }

        @Test func `leaving shared mode signs the worker out first`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signals = try await desk.signals(Device1.signingOut)
            async let leaving: Void = desk.call(Administration.setDeviceMode, "default")
            for try await signal in signals {
                #expect(signal.values.2 == "administrator")
                break
            }
            #expect(try await desk.call(Device1.getDeviceMode) == "shared")
            try await app.peer.acknowledge(epoch, registration.instance)
            try await leaving
            #expect(try await terminal.device().deviceMode == .personal)
            #expect(try await terminal.device().receipt(epoch).outcome == .cleared)
            #expect(try await desk.refusal { _ = try await desk.signOut() } == "NotShared")
        }

        @Test func `reasons belong to those who may give them`() async throws {
            try await desk.signIn("ana", pin: "1234")
            for reason in [
                "browser", "idle", "sleep", "shutdown", "expired", "provider", "lock", "agent-lost", "recovery",
            ] {
                let refusal = try await desk.refusal { _ = try await desk.signOut(["reason": .string(reason)]) }
                #expect(refusal == "NotAuthorized", "\(reason)")
            }
            for options: VariantDictionary in [
                ["reason": .string("boredom")], ["reason": .uint32(1)], ["epoch": .string("1")],
                ["epochs": .uint64(1)],
            ] {
                #expect(try await desk.refusal { _ = try await desk.signOut(options) } == "InvalidArgument")
            }
            // Those that no person may give are no choice there.
            for reason in ["idle", "boredom"] {
                #expect(try await terminal.batonctl("sign-out", "--reason", reason).status == 64)
            }
            #expect(try await desk.phase() == "in-use")
            #expect(try await desk.signOut(["reason": .string("administrator")])?.reason == .administrator)
        }
    }
}
