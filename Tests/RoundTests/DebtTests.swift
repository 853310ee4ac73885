import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// Apps that missed a sign-out, and apps that come while one is going on.
    @Suite("Who missed a sign-out clears first", .timeLimit(.minutes(3)))
    struct DebtTests {
        static let app = "org.example.App"
        let terminal: Terminal
        let daemon: Program
        let desk: Peer

        init() async throws {
            // Far apart, so that slow is told from having waited.
            terminal = try Terminal(settings: "barrier: {soft: 7s, hard: 12s, containment: 5s, absolute: 20s}\n")
            daemon = try await terminal.startDaemon()
            desk = try await Peer(terminal)
        }

        /// A turn of Ana's that leaves `app` in debt.
        private func makeDebt() async throws -> Epoch {
            let app = try await Puppet(terminal)
            try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            await app.program.kill()
            #expect(try await desk.signOut()?.outcome == .owed)
            return epoch
        }

        @Test func `an app in debt gets no account until it has acknowledged`() async throws {
            let epoch = try await makeDebt()
            try await desk.signIn("bo", pin: "5678")
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app, clears: false)
            #expect(registration.clearThrough == epoch)
            #expect(registration.phase == "in-use")
            #expect(registration.account.isEmpty)
            let refusal = try await app.peer.refusal { _ = try await app.peer.call(Device1.getCurrentAccount) }
            #expect(refusal == "StaleEpoch")
            #expect(try await desk.list().map(\.state) == [.owed])
            #expect(try await desk.list().map(\.clearThrough) == [epoch])
            try await app.peer.acknowledge(epoch, registration.instance)
            let (current, account, _) = try await app.peer.call(Device1.getCurrentAccount)
            #expect(current == epoch.next)
            #expect(account["username"]?.string == "bo")
            #expect(try await desk.list().map(\.state) == [.inUse])

            let signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch.next, registration.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.debts.isEmpty)
        }

        @Test func `debts stand in later receipts without delaying anybody, until they are forgotten`() async throws {
            let epoch = try await makeDebt()
            try await desk.signIn("bo", pin: "5678")
            let (status, output) = try await terminal.batonctl("sign-out")
            #expect(status == 0, "\(output)")
            var receipt = try #require(try await terminal.device().receipts(newest: 1).first)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.milliseconds < 7000)
            #expect(receipt.debts.map(\.app) == [Self.app])
            #expect(receipt.debts.map(\.since) == [epoch])

            let apps = try await terminal.batonctl("apps")
            #expect(apps.output.contains(Self.app), "\(apps.output)")
            #expect(try await terminal.batonctl("apps", "forget", "org.example.Nobody").status == 1)
            #expect(try await terminal.batonctl("apps", "forget", "--all", "--uid", "99999").output.contains("Nothing"))
            #expect(try await desk.list().map(\.app) == [Self.app])
            let forgotten = try await terminal.batonctl("apps", "forget", "--all")
            #expect(forgotten.status == 0, "\(forgotten.output)")
            #expect(forgotten.output.contains("one app"), "\(forgotten.output)")
            #expect(try await desk.list().isEmpty)
            try await desk.signIn("bo", pin: "5678")
            receipt = try #require(try await desk.signOut())
            #expect(receipt.debts.isEmpty)
        }

        @Test func `an app that comes back with old data on disk clears it before it hears of the next worker`()
            async throws
        {
            let data = "\(terminal.folder)/data"
            var app = try terminal.run(["baton-example-handover", data])
            try await app.line(containing: "ready")
            try await desk.signIn("ana", pin: "1234")
            try await app.line(containing: "Ana Horvat")
            await app.kill()
            #expect(try await desk.signOut()?.outcome == .owed)
            #expect(terminal.exists("data/handover.txt"))
            try await desk.signIn("bo", pin: "5678")
            app = try terminal.run(["baton-example-handover", data])
            try await app.line(containing: "Bo Larsen is here")
            let lines = app.output.split(separator: "\n").map(String.init)
            #expect(lines == ["handover: ready", "handover: cleared", "handover: Bo Larsen is here"])
            #expect(try await desk.signOut()?.outcome == .cleared)
            #expect(!terminal.exists("data/handover.txt"))
        }

        @Test func `an app that was not running for a whole turn clears at its next start`() async throws {
            let data = "\(terminal.folder)/data"
            var app = try terminal.run(["baton-example-handover", data])
            try await app.line(containing: "ready")
            try await desk.signIn("ana", pin: "1234")
            try await app.line(containing: "Ana Horvat")
            #expect(try await desk.signOut()?.outcome == .cleared)
            await app.kill()
            try await desk.signIn("bo", pin: "5678")
            #expect(try await desk.signOut()?.outcome == .cleared)
            try terminal.write("somebody's", to: "data/handover.txt")
            app = try terminal.run(["baton-example-handover", data])
            try await app.line(containing: "cleared")
            #expect(!terminal.exists("data/handover.txt"))
        }

        @Test func `an app that was stopped through a short pause clears when it goes on`() async throws {
            let data = "\(terminal.folder)/data"
            let app = try terminal.run(["baton-example-handover", data])
            try await app.line(containing: "ready")
            try await desk.signIn("ana", pin: "1234")
            try await app.line(containing: "Ana Horvat")
            app.signal(SIGSTOP)
            let signOut = try await desk.beginSignOut()
            #expect(terminal.exists("data/handover.txt"))
            app.signal(SIGCONT)
            #expect(try await signOut.value?.outcome == .cleared)
            #expect(!terminal.exists("data/handover.txt"))
        }

        @Test func `who joins while a worker leaves must clear too`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            let signOut = try await desk.beginSignOut()
            let late = try await Puppet(terminal)
            let joined = try await late.peer.register("org.example.Late", clears: false)
            #expect(joined.phase == "clearing")
            #expect(joined.clearThrough == epoch)
            #expect(joined.account.isEmpty)
            try await app.peer.acknowledge(epoch, registration.instance)
            #expect(try await desk.phase() == "clearing")
            try await late.peer.acknowledge(epoch, joined.instance)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participants.map(\.app) == [Self.app, "org.example.Late"])
        }

        @Test func `who joins after the apps are settled owes, and changes nothing`() async throws {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            // Without the agent's answers the sign-out waits behind its closed participants step.
            let agent = try await AgentProcess(of: daemon, on: terminal)
            agent.pause()
            let signOut = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch, registration.instance)
            let late = try await Puppet(terminal)
            async let joining = late.peer.register("org.example.Late", clears: false)
            try await desk.waitForList { $0.contains { $0.app == "org.example.Late" } }
            agent.resume()
            let joined = try await joining
            #expect(joined.clearThrough == epoch)
            #expect(joined.account.isEmpty)
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .cleared)
            #expect(receipt.participants.map(\.app) == [Self.app])
            let row = try #require(try await desk.list().first { $0.app == "org.example.Late" })
            #expect(row.state == .owed)
            try await late.peer.acknowledge(epoch, joined.instance)
            #expect(try await desk.list().first { $0.app == "org.example.Late" }?.state == .clean)
        }

        @Test func `an app that knows the last turn starts clean, one that knows nothing or says too much clears`()
            async throws
        {
            let known = try await Puppet(terminal)
            try await known.peer.register(Self.app)
            try await known.peer.call(Participants.leave, try await desk.list()[0].instance)
            let epoch = try await desk.signIn("ana", pin: "1234")
            #expect(try await desk.signOut()?.outcome == .cleared)
            func clearThrough(_ app: String, _ clearedThrough: Epoch) async throws -> Epoch {
                try await Peer(terminal).register(app, clearedThrough: clearedThrough).clearThrough
            }
            #expect(try await clearThrough("org.example.New", 0) == epoch)
            #expect(try await clearThrough("org.example.Clean", epoch) == 0)
            #expect(try await clearThrough("org.example.Boaster", epoch.advanced(by: 7)) == epoch)
            #expect(try await clearThrough(Self.app, 0) == epoch)
        }
    }
}
