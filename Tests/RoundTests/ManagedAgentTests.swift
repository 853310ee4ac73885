import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// What batond tells its agent of settings and turns, and what it makes of the answers.
    @Suite("What the agent is told", .timeLimit(.minutes(3)))
    struct ManagedAgentTests {
        static let app = "org.example.App"

        private func begin(
            _ settings: String = "", apps: [String: String] = [:], _ script: FakeAgent.Script = FakeAgent.Script(),
            barrier: String = Terminal.patient
        ) async throws -> (terminal: Terminal, daemon: Program, agent: FakeAgent, desk: Peer) {
            let agentKeys = settings.hasPrefix("agent:") ? "" : "agent: {start: false}\n"
            let terminal = try Terminal(settings: barrier + agentKeys + settings, apps: apps)
            let daemon = try await terminal.startDaemon(agent: false)
            let agent = try await FakeAgent(terminal, script)
            try await daemon.line(containing: "the agent has registered")
            return (terminal, daemon, agent, try await Peer(terminal))
        }

        @Test func `the settings come first, and again when they have changed`() async throws {
            let (terminal, daemon, agent, _) = try await begin(
                "browser: {kind: firefox, start-page: 'https://ward.example', arguments: [--lang=hr]}\n",
                apps: [
                    Self.app: """
                    command: [/usr/bin/till, --kiosk]
                    environment: {A: b}
                    home: {wipe: [~/.till]}
                    autostart: true
                    participant: required

                    """, "org.example.Self": "name: Starts itself\n",
                ])
            let first = try #require(await agent.next("Configure"))
            var configuration = try AgentConfiguration(first.options)
            #expect(configuration.browser.kind == .firefox && configuration.browser.address == "https://baton.invalid")
            #expect(configuration.browser.startPage == "https://ward.example")
            #expect(configuration.browser.arguments == ["--lang=hr"])
            #expect(configuration.holders == [.clipboard] && configuration.strayProcesses == .name)
            let app = try #require(configuration.apps.first)
            #expect(configuration.apps.count == 1 && app.id == Self.app && app.command == ["/usr/bin/till", "--kiosk"])
            #expect(app.environment == ["A": "b"] && app.wipe == ["~/.till"] && app.isSandboxed)
            #expect(app.startsAtSignIn && app.mustParticipate)
            try terminal.configure(Terminal.patient + "agent: {start: false}\nstrays: {processes: end}\n")
            #expect(try await terminal.batonctl("reload").status == 0)
            configuration = try AgentConfiguration(#require(agent.requests("Configure").last).options)
            #expect(agent.requests("Configure").count == 2)
            #expect(configuration.browser.kind == .none && configuration.strayProcesses == .end)
            withExtendedLifetime(daemon) {}
        }

        @Test func `what the agent found stands in the status, and each warning once in the log`() async throws {
            var script = FakeAgent.Script()
            script.state = AgentState(
                proof: .cgroup, browser: "firefox 153", display: "wayland", warnings: ["no print jobs here"])
            let (terminal, daemon, agent, desk) = try await begin("browser: {kind: firefox}\n", script)
            var information = try await terminal.device().deviceInformation()
            #expect(information.containment == .cgroup && information.browser.rawValue == "firefox 153")
            #expect(information.session == "wayland" && information.warnings == ["no print jobs here"])
            let (_, output) = try await terminal.batonctl("status")
            #expect(output.contains("proof: cgroup") && output.contains("no print jobs here"), "\(output)")
            let (_, json) = try await terminal.batonctl("status", "--json")
            #expect(json.contains(#""containment" : "cgroup""#), "\(json)")
            _ = try await desk.call(Administration.reload)
            await agent.peer.connection.close()
            try await daemon.line(containing: "the agent has left the bus")
            information = try await terminal.device().deviceInformation()
            #expect(
                information.containment == nil && information.warnings.isEmpty
                    && information.browser == BrowserDescription(.firefox))
            script.state.warnings.append("nor a keyring")
            _ = try await FakeAgent(terminal, script)
            try await daemon.line(containing: "nor a keyring")
            #expect(daemon.output.split(separator: "\n").count { $0.contains("no print jobs here") } == 1)
        }

        @Test func `an agent says when idleness is told by another source, and no program beside it can`() async throws
        {
            let (terminal, daemon, agent, desk) = try await begin("browser: {kind: none}\n")
            let device = try await terminal.device()
            #expect(try await device.deviceInformation().idle == .nothing)
            var state = AgentState(proof: .namespace, idle: .mutter, warnings: ["a video keeps workers"])
            #expect(try await desk.refusal { try await desk.call(DeviceAgent.stateChanged, state) } == "NotAuthorized")
            try await agent.peer.call(DeviceAgent.stateChanged, state)
            let information = try await device.deviceInformation()
            #expect(information.idle == .mutter && information.warnings == ["a video keeps workers"])
            try await daemon.line(containing: "a video keeps workers")
            // Said as often as an agent likes, its words do not fill the log.
            for number in 1...300 {
                state.warnings = ["warning \(number)."]
                try await agent.peer.call(DeviceAgent.stateChanged, state)
            }
            await agent.peer.connection.close()
            try await daemon.line(containing: "the agent has left the bus")
            #expect(daemon.output.contains("warning 100."))
            #expect(!daemon.output.contains("warning 300."))
        }

        @Test func `an agent of another version is refused, and the device waits for one of this`() async throws {
            let terminal = try Terminal(settings: Terminal.patient + "agent: {start: false}\n")
            let daemon = try await terminal.startDaemon(agent: false)
            let peer = try await Peer(terminal)
            for contract in [0, AgentRegistration.contract - 1, AgentRegistration.contract + 1] {
                var registration = AgentRegistration(watching: [])
                registration.contract = contract
                #expect(
                    try await peer.refusal { _ = try await peer.call(DeviceAgent.register, registration) } == "Failed")
            }
            #expect(try await terminal.device().deviceInformation().agent == .away)
            withExtendedLifetime(daemon) {}
        }

        @Test func `a turn is handed over when it begins, and to an agent that comes in the middle`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            let epoch = try await desk.signIn("ana", pin: "1234")
            let turn = try #require(await agent.next("BeginTurn"))
            #expect(turn.epoch == epoch)
            let since = try await terminal.device().deviceInformation().since
            #expect(turn.options["began"]?.int64 == since)
            #expect(turn.options["end-session"]?.string == "" && turn.options["issuer"]?.string == "")
            await agent.peer.connection.close()
            try await daemon.line(containing: "the agent has left the bus")
            let second = try await FakeAgent(terminal)
            #expect(await second.next("BeginTurn")?.epoch == epoch)
            #expect(second.requests("Configure").count == 1)
            _ = try await desk.signOut()
            #expect(second.requests("SignOutBrowser").map { Set($0.options.keys) } == [["limit"]])
        }

        @Test func `who waits for the sign-out is named, which participants are listed, and when the turn began`()
            async throws
        {
            let (terminal, daemon, agent, desk) = try await begin(apps: [Self.app: "name: Listed\n"])
            let epoch = try await desk.signIn("ana", pin: "1234")
            let (app, other) = (try await Peer(terminal), try await Peer(terminal))
            let listed = try await app.register(Self.app).instance
            let unlisted = try await other.register("org.example.Unlisted").instance
            let since = try await terminal.device().deviceInformation().since
            let program = try terminal.run(["batonctl", "sign-out"])
            try await desk.waitForPhase(.clearing)
            try await app.acknowledge(epoch, listed)
            try await other.acknowledge(epoch, unlisted)
            let request = try #require(await agent.next("ClearSharedHolders"))
            #expect(request.options["began"]?.int64 == since)
            #expect(request.options["spare"]?.uint32s == [UInt32(program.pid)])
            #expect(request.options["listed"]?.uint64s == [listed.rawValue])
            #expect(await program.end() == 0)
            withExtendedLifetime(daemon) {}
        }

        @Test func `each point of the browser is in the receipt, and one that failed is enough`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            let rows = [
                Receipt.Check(holder: "processes", outcome: .clean, explanation: "namespace gone"),
                Receipt.Check(holder: "start page", outcome: .unchecked, explanation: ""),
            ]
            agent.script { $0.checks = rows }
            try await desk.signIn("ana", pin: "1234")
            var receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .cleared && receipt.browser == .clean && receipt.browserChecks == rows)
            agent.script { $0.checks[1].outcome = .failed }
            let epoch = try await desk.signIn("ana", pin: "1234")
            receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome == .quarantined && receipt.browser == .failed)
            #expect(receipt.explanation.contains("start page"))
            agent.script { $0.checks = rows }
            _ = try await desk.signOut()
            try await desk.waitForPhase(.ready)
            #expect(try await terminal.device().receipt(epoch).browserChecks.map(\.outcome) == [.clean, .failed])
            let (_, output) = try await terminal.batonctl("receipts", "\(epoch)")
            #expect(output.contains("  start page failed"), "\(output)")
            withExtendedLifetime(daemon) {}
        }

        @Test(arguments: [(false, "quarantined"), (true, "contained")])
        func `process ids alone prove nothing of an app that the agent starts, unless the settings say so`(
            accepts: Bool, outcome: String
        ) async throws {
            let (terminal, daemon, agent, desk) = try await begin(
                "agent: {start: false, accept-weak-proof: \(accepts)}\n",
                apps: [Self.app: "command: /usr/bin/till\n", "org.example.Self": "name: Starts itself\n"],
                barrier: Terminal.quick)
            let (managed, itself) = (try await Peer(terminal), try await Peer(terminal))
            agent.script { ($0.proof, $0.ends) = (.pid, [managed, itself]) }
            try await managed.register(Self.app)
            try await itself.register("org.example.Self")
            try await desk.signIn("ana", pin: "1234")
            let receipt = try #require(try await desk.signOut())
            #expect(receipt.outcome.rawValue == outcome)
            #expect(receipt.participant(Self.app)?.outcome == (accepts ? .contained : .unproven))
            #expect(receipt.participant("org.example.Self")?.outcome == .contained)
            withExtendedLifetime(daemon) {}
        }
    }
}
