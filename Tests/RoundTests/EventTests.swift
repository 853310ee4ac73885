import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    @Suite("What everybody hears", .timeLimit(.minutes(3)))
    struct EventTests {
        let terminal: Terminal
        let daemon: Program
        let desk: Peer

        init() async throws {
            terminal = try Terminal(settings: Terminal.patient)
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
        }

        @Test(arguments: [["ana", "bo"], ["ana", "ana"]])
        func `a hand-over is told as two turns, also to the same worker`(workers: [String]) async throws {
            let last = try await desk.epoch()
            var events = try await terminal.device().events().makeAsyncIterator()
            for worker in workers {
                try await desk.signIn(worker, pin: worker == "ana" ? "1234" : "5678")
                _ = try await desk.signOut()
            }
            var turns: [String] = []
            while turns.count < 6, let event = await events.next() {
                func turn(_ epoch: Epoch) -> Int { last.distance(to: max(epoch, last)) }
                switch event {
                case .signedIn(let epoch, let account): turns.append("in \(turn(epoch)) \(account.username)")
                case .signingOut(let epoch, let account, let reason, let deadline):
                    turns.append("leaving \(turn(epoch)) \(account?.username ?? "") \(reason?.rawValue ?? "")")
                    #expect(deadline > 0)
                case .signedOut(let epoch, let account, let outcome):
                    turns.append("out \(turn(epoch)) \(account?.username ?? "") \(outcome?.rawValue ?? "")")
                default: break
                }
            }
            #expect(
                turns
                    == workers.enumerated().flatMap { index, worker in
                        [
                            "in \(index + 1) \(worker)", "leaving \(index + 1) \(worker) user",
                            "out \(index + 1) \(worker) cleared",
                        ]
                    })
            let (epoch, current, previous) = try await desk.call(Device1.getCurrentAccount)
            #expect(epoch == last.advanced(by: 2) && current.isEmpty)
            #expect(previous["username"]?.string == workers[1])
        }

        @Test func `every signal comes once, after the properties that it speaks of`() async throws {
            let monitor = try terminal.run(["dbus-monitor", "--session", "type='signal',path='/org/baton/Device1'"])
            // The bus takes the monitor's own name away when it has become one.
            try await monitor.line(containing: "member=NameLost")
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register("org.example.App")
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch, registration.instance)
            _ = try await signOut.value
            try await monitor.line(containing: "member=SignedOut")
            try await desk.signIn("bo", pin: "5678")
            try await monitor.line(containing: "member=SignedIn", count: 2)

            var heard: [String] = []
            var isPhase = false
            for line in monitor.output.split(separator: "\n") {
                if let member = line.split(separator: " ").last, member.hasPrefix("member="),
                    line.contains("path=/org/baton/Device1"), !line.contains("PropertiesChanged")
                {
                    heard.append(String(member.dropFirst("member=".count)))
                }
                if isPhase, let value = line.split(separator: "\"").dropFirst().first { heard.append(String(value)) }
                isPhase = line.contains("\"Phase\"")
            }
            #expect(
                heard == [
                    "signing-in", "in-use", "SignedIn", "clearing", "SigningOut", "ready", "SignedOut", "signing-in",
                    "in-use", "SignedIn",
                ])
            let last = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch.next, registration.instance)
            _ = try await last.value
        }
    }
}
