import Baton
import BusTesting
import DBus
import TerminalTesting
import Testing

extension Rounds {
    /// What makes a device ready, and what does not.
    @Suite("Ready means ready", .timeLimit(.minutes(3)))
    struct ResetTests {
        private func begin(
            browser: String = "", _ script: FakeAgent.Script = .init()
        ) async throws -> (terminal: Terminal, daemon: Program, agent: FakeAgent, desk: Peer) {
            let terminal = try Terminal(settings: Terminal.patient + "agent: {start: false}\n" + browser)
            let daemon = try await terminal.startDaemon(agent: false)
            let agent = try await FakeAgent(terminal, script)
            try await daemon.line(containing: "the agent has registered")
            return (terminal, daemon, agent, try await Peer(terminal))
        }

        @Test func `a reset makes nothing ready whose browser has not ended`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            agent.script { $0.browser = "failed" }
            try await desk.signIn("ana", pin: "1234")
            #expect(try await desk.signOut()?.outcome == .quarantined)
            #expect(
                try await desk.refusal { _ = try await desk.call(Administration.endQuarantine, [:]) } == "Quarantined")
            let refused = try await terminal.batonctl("reset")
            #expect(refused.status == 1 && refused.output.contains("browser has not ended"), "\(refused.output)")
            #expect(try await desk.phase() == "quarantined")
            agent.script { $0.browser = "clean" }
            let reset = try await terminal.batonctl("reset")
            #expect(reset.status == 0, "\(reset.output)")
            #expect(try await desk.phase() == "ready")
            withExtendedLifetime(daemon) {}
        }

        @Test func `a sign-out that heals a quarantine ends with what is so then`() async throws {
            let (terminal, daemon, agent, desk) = try await begin()
            agent.script { $0.browser = "failed" }
            try await desk.signIn("ana", pin: "1234")
            let first = try await terminal.batonctl("sign-out")
            #expect(first.status == 5, "\(first.output)")
            agent.script { $0.browser = "clean" }
            // The first try within five seconds of another is not made.
            var healed = try await terminal.batonctl("sign-out")
            while try await desk.phase() == "quarantined" { healed = try await terminal.batonctl("sign-out") }
            #expect(healed.status == 0, "\(healed.output)")
            #expect(healed.output.contains("The quarantine is over"))
            #expect(!healed.output.contains("No worker can sign in"))
            withExtendedLifetime(daemon) {}
        }

        @Test func `without its page a device is not ready, and status and doctor say what is missing`() async throws {
            let (terminal, daemon, agent, desk) = try await begin(
                browser: "browser: {kind: chromium, start-limit: 600s}\n")
            let device = try await terminal.device()
            #expect(try await device.deviceInformation().missing.contains("start page"))
            let status = try await terminal.batonctl("status").output
            #expect(status.contains("not ready: the browser does not show the start page yet"), "\(status)")
            #expect(!status.contains("ready for the next worker"))
            let doctor = try await terminal.batonctl("doctor")
            #expect(doctor.status == 1 && doctor.output.contains("start page"), "\(doctor.output)")
            try await agent.peer.call(DeviceAgent.startPage, true)
            #expect(try await device.deviceInformation().missing == "")
            #expect(try await terminal.batonctl("status").output.contains("ready for the next worker"))
            #expect(try await desk.refusal { try await desk.call(DeviceAgent.startPage, false) } == "NotAuthorized")
            withExtendedLifetime(daemon) {}
        }

        @Test func `a device whose page does not come in the time of the settings is quarantined until it does`()
            async throws
        {
            let (terminal, daemon, agent, desk) = try await begin(
                browser: "browser: {kind: chromium, start-limit: 1s}\n")
            try await desk.waitForPhase(.quarantined)
            let status = try await terminal.batonctl("status").output
            #expect(status.contains("the browser does not show the start page"), "\(status)")
            #expect(try await desk.refusal { try await desk.signIn("ana", pin: "1234") } == "Quarantined")
            #expect(try await terminal.batonctl("reset").status == 1)
            #expect(try await terminal.batonctl("sign-out").status == 5)
            try await agent.peer.call(DeviceAgent.startPage, true)
            try await desk.waitForPhase(.ready)
            try await desk.signIn("ana", pin: "1234")
            withExtendedLifetime(daemon) {}
        }
    }
}
