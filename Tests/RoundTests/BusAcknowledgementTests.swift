import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    @Suite("Acknowledging", .timeLimit(.minutes(3)))
    struct BusAcknowledgementTests {
        let terminal: Terminal
        let daemon: Program
        let desk: Peer

        init() async throws {
            terminal = try Terminal(settings: Terminal.patient)
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
        }

        @Test func `another connection cannot acknowledge for an app, and the receipt counts that it tried`()
            async throws
        {
            let app = try await Puppet(terminal)
            let forger = try await Peer(terminal)
            let registration = try await app.peer.register("org.example.App")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            for _ in 0..<2 {
                let refusal = try await forger.refusal {
                    try await forger.acknowledge(epoch, registration.instance)
                }
                #expect(refusal == "NotAuthorized")
            }
            #expect(try await desk.list().map(\.state) == [.clearing])
            try await app.peer.acknowledge(epoch, registration.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(
                receipt.rejected == [
                    Receipt.Rejection(app: "", sender: forger.name, error: .refused(.notAuthorized), count: 2)
                ])
        }

        @Test func `an app cannot speak as an instance of another app`() async throws {
            let (liar, honest) = (try await Puppet(terminal), try await Puppet(terminal))
            let own = try await liar.peer.register("org.example.Liar")
            let other = try await honest.peer.register("org.example.Honest")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            let refusal = try await liar.peer.refusal { try await liar.peer.acknowledge(epoch, other.instance) }
            #expect(refusal == "NotAuthorized")
            try await liar.peer.acknowledge(epoch, own.instance)
            #expect(
                try await desk.list().first { $0.app == "org.example.Honest" }?.state == .clearing)
            try await honest.peer.acknowledge(epoch, other.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.rejected.map(\.app) == ["org.example.Liar"])
            #expect(receipt.rejected.map(\.sender) == [liar.name.rawValue])
        }

        @Test func `a late word about the last turn pays nothing of this one`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register("org.example.App")
            let first = try await desk.signIn("ana", pin: "1234")
            var signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(first, registration.instance)
            _ = try await signOut.value

            let second = try await desk.signIn("bo", pin: "5678")
            let fresh = try await Puppet(terminal)
            let late = try await fresh.peer.register("org.example.Late", clearedThrough: first)
            #expect(late.clearThrough == 0)
            signOut = try await desk.beginSignOut()
            // What was said is said: again the same is a success.
            try await app.peer.acknowledge(first, registration.instance)
            #expect(
                try await fresh.peer.refusal { try await fresh.peer.acknowledge(first, late.instance) } == "StaleEpoch")
            #expect(Set(try await desk.list().map(\.state)) == [.clearing])
            try await app.peer.acknowledge(second, registration.instance)
            try await fresh.peer.acknowledge(second, late.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.rejected.map(\.error) == [.refused(.staleEpoch)])
        }

        @Test func `a word before the worker leaves counts for nothing`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register("org.example.App")
            let epoch = try await desk.signIn("ana", pin: "1234")
            for early in [epoch, epoch.next, 0] {
                let refusal = try await app.peer.refusal {
                    try await app.peer.acknowledge(early, registration.instance)
                }
                #expect(refusal == "StaleEpoch")
            }
            let signOut = try await desk.beginSignOut()
            #expect(try await desk.list().map(\.state) == [.clearing])
            try await app.peer.acknowledge(epoch, registration.instance)
            #expect(try await signOut.value?.outcome == .cleared)
        }

        @Test func `the first word counts, the same again is a success, another is not`() async throws {
            let (app, other) = (try await Puppet(terminal), try await Puppet(terminal))
            let registration = try await app.peer.register("org.example.App")
            let second = try await other.peer.register("org.example.Other")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            func refusal(_ outcome: String, _ instance: Instance) async throws -> String? {
                try await app.peer.refusal { try await app.peer.acknowledge(epoch, instance, outcome) }
            }
            #expect(try await refusal("clean", registration.instance) == "InvalidArgument")
            #expect(try await refusal("cleared", 4711) == "NotRegistered")
            #expect(try await refusal("nothing-to-clear", registration.instance) == nil)
            #expect(try await refusal("nothing-to-clear", registration.instance) == nil)
            #expect(try await refusal("cleared", registration.instance) == "InvalidArgument")
            #expect(try await refusal("failed", registration.instance) == "InvalidArgument")
            try await other.peer.acknowledge(epoch, second.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.participant("org.example.App")?.outcome == .nothingToClear)
            #expect(app.isRunning)
        }

        @Test func `registering again ends the old instance's claim to speak`() async throws {
            let app = try await Puppet(terminal)
            let old = try await app.peer.register("org.example.App")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let new = try await app.peer.register("org.example.App")
            #expect(new.instance != old.instance)
            #expect(try await desk.list().map(\.instance) == [new.instance])
            let signOut = try await desk.beginSignOut()
            #expect(
                try await app.peer.refusal { try await app.peer.acknowledge(epoch, old.instance) } == "NotRegistered")
            #expect(try await desk.list().map(\.state) == [.clearing])
            try await app.peer.acknowledge(epoch, new.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participants.count == 1)
        }

        @Test func `a connection is one app`() async throws {
            let app = try await Puppet(terminal)
            try await app.peer.register("org.example.App")
            #expect(
                try await app.peer.refusal { try await app.peer.register("org.example.Second") } == "InvalidArgument")
            for id in ["", "../x", "a b", String(repeating: "x", count: 256)] {
                let fresh = try await Peer(terminal)
                #expect(try await fresh.refusal { try await fresh.register(id) } == "InvalidArgument")
            }
            #expect(try await desk.list().map(\.app) == ["org.example.App"])
        }

        @Test func `every instance of an app must acknowledge`() async throws {
            let (one, two) = (try await Puppet(terminal), try await Puppet(terminal))
            let first = try await one.peer.register("org.example.App")
            let second = try await two.peer.register("org.example.App")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            try await one.peer.acknowledge(epoch, first.instance)
            #expect(try await desk.phase() == "clearing")
            #expect(try await desk.list().map(\.state) == [.cleared, .clearing])
            try await two.peer.acknowledge(epoch, second.instance)
            #expect(try await signOut.value?.outcome == .cleared)
        }
    }
}
