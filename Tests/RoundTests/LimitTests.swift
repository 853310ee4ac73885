import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    @Suite("Limits", .timeLimit(.minutes(3)))
    struct LimitTests {
        @Test func `one app has four connections, and one user no more participants than the settings say`()
            async throws
        {
            let terminal = try Terminal(settings: Terminal.patient + "limits: {participants-per-user: 5}\n")
            let daemon = try await terminal.startDaemon()
            var peers: [Peer] = []
            for _ in 0..<4 {
                let peer = try await Peer(terminal)
                try await peer.register("org.example.App")
                peers.append(peer)
            }
            let fifth = try await Peer(terminal)
            #expect(try await fifth.refusal { try await fifth.register("org.example.App") } == "LimitExceeded")
            try await fifth.register("org.example.Other")
            let sixth = try await Peer(terminal)
            #expect(try await sixth.refusal { try await sixth.register("org.example.Third") } == "LimitExceeded")
            // Again on the same connection takes no more room; leaving makes some.
            let again = try await fifth.register("org.example.Other")
            try await fifth.call(Participants.leave, again.instance)
            try await sixth.register("org.example.Third")
            #expect(try await sixth.list().count == 5)
            withExtendedLifetime((daemon, peers)) {}
        }

        @Test func `where no agent watches, processes that have ended keep nobody out, and those that live do`()
            async throws
        {
            let terminal = try Terminal(
                settings: Terminal.patient
                    + "agent: {required: false, start: false}\nlimits: {participants-per-user: 2}\n")
            let daemon = try await terminal.startDaemon(agent: false)
            let desk = try await Peer(terminal)
            try await desk.signIn("ana", pin: "1234")
            // It has left the bus and may hold what is Ana's.
            let living = try await Puppet(terminal)
            try await living.peer.register("org.example.Living")
            living.leaveBus()
            try await desk.waitForList { $0.map(\.state) == [.gone] }
            for number in 1...4 {
                let app = try await Puppet(terminal)
                try await app.peer.register("org.example.Passing\(number)")
                #expect(try await desk.refusal { try await desk.register("org.example.More") } == "LimitExceeded")
                await app.program.kill()
                try await desk.waitForList { list in list.allSatisfy { $0.state == .gone } }
            }
            withExtendedLifetime((daemon, living)) {}
        }

        @Test func `a user whose apps owe too much gets no new unlisted app`() async throws {
            let terminal = try Terminal(settings: Terminal.patient + "limits: {debts-per-user: 1}\n")
            let daemon = try await terminal.startDaemon()
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            try await app.peer.register("org.example.Debtor")
            try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            #expect(try await desk.signOut()?.outcome == .owed)
            let other = try await Peer(terminal)
            #expect(try await other.refusal { try await other.register("org.example.New") } == "LimitExceeded")
            // Who is in debt may always come to pay.
            try await other.register("org.example.Debtor")
            let third = try await Peer(terminal)
            try await third.register("org.example.New")
            withExtendedLifetime(daemon) {}
        }

        @Test func `details are kept up to 4 KiB, accepted up to 64 KiB, and never beyond`() async throws {
            let terminal = try Terminal(settings: Terminal.patient)
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            let apps = [try await Puppet(terminal), try await Puppet(terminal), try await Puppet(terminal)]
            var instances: [Instance] = []
            for (index, app) in apps.enumerated() {
                instances.append(try await app.peer.register("org.example.App\(index)").instance)
            }
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            func text(_ count: Int) -> VariantDictionary { ["files": .string(String(repeating: "x", count: count))] }
            func acknowledge(_ index: Int, _ details: VariantDictionary) async throws -> String? {
                let peer = apps[index].peer
                return try await peer.refusal {
                    try await peer.acknowledge(epoch, instances[index], details: details)
                }
            }
            #expect(try await acknowledge(0, text(4000)) == nil)
            #expect(try await acknowledge(1, text(60_000)) == nil)
            #expect(try await acknowledge(2, text(66_000)) == "LimitExceeded")
            #expect(try await acknowledge(2, ["line": .string("one\nt\"wo\u{1b}[31m")]) == nil)
            let receipt = try #require(try await signOut.value)
            let details = receipt.participants.map(\.details)
            #expect(details[0] == #"{"files":""# + String(repeating: "x", count: 4000) + #""}"#)
            #expect(details[1].hasPrefix(#"{"truncated":"6"#) && details[1].utf8.count < 4096)
            #expect(details[2] == #"{"line":"one\u000at\"wo\u001b[31m"}"#)
            withExtendedLifetime(daemon) {}
        }
    }
}
