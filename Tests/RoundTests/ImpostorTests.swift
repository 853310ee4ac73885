import Baton
import DBus
import Glibc
import TerminalTesting
import Testing

extension Rounds {
    /// A program of the same user that says it is the agent, where batond starts the agent itself.
    @Suite("An impostor of the agent", .timeLimit(.minutes(3)))
    struct ImpostorTests {
        private func isRefused(_ peer: Peer, _ options: AgentRegistration = AgentRegistration()) async throws -> Bool {
            try await peer.refusal { _ = try await peer.call(DeviceAgent.register, options) } == "NotAuthorized"
        }

        private func guess() throws -> AgentRegistration {
            var registration = AgentRegistration()
            registration.credential = try sealedMemory("0123456789abcdef0123456789abcdef")
            return registration
        }

        /// A program in the agent's place that keeps what it was handed in a file, or does nothing.
        private func stand(in terminal: Terminal, keeping: Bool) throws -> String {
            let program = "\(terminal.folder)/data/agent"
            let keep =
                keeping
                ? "cat >\(terminal.folder)/data/handed.new && mv \(terminal.folder)/data/handed.new "
                    + "\(terminal.folder)/data/handed && echo handed over >&2\n" : ""
            try terminal.write("#!/bin/sh\n\(keep)exec sleep 1000\n", to: "data/agent")
            chmod(program, 0o755)
            return program
        }

        @Test func `before the agent has come it is refused`() async throws {
            let terminal = try Terminal()
            let daemon = try await terminal.startDaemon(
                ["--agent", try stand(in: terminal, keeping: false)], agent: false)
            let peer = try await Peer(terminal)
            #expect(try await isRefused(peer))
            #expect(try await isRefused(peer, guess()))
            #expect(try await terminal.device().deviceInformation().agent == .away)
            withExtendedLifetime(daemon) {}
        }

        @Test func `with the right bytes it is still another process`() async throws {
            let terminal = try Terminal()
            let daemon = try await terminal.startDaemon(
                ["--agent", try stand(in: terminal, keeping: true)], agent: false)
            try await daemon.line(containing: "handed over")
            let file = open("\(terminal.folder)/data/handed", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(file, &bytes, 64)
            #expect(count == 32)
            let peer = try await Peer(terminal)
            let stolen = try sealedMemory(bytes: Array(bytes.prefix(max(0, count))))
            var registration = AgentRegistration()
            registration.credential = stolen
            #expect(try await isRefused(peer, registration))
            withExtendedLifetime(daemon) {}
        }

        @Test func `beside the agent and after it was killed it is refused, and the new agent is not`() async throws {
            let terminal = try Terminal()
            let daemon = try await terminal.startDaemon()
            let peer = try await Peer(terminal)
            #expect(try await isRefused(peer, guess()))
            let agent = try await AgentProcess(of: daemon, on: terminal)
            kill(agent.pid, SIGKILL)
            try await daemon.line(containing: "the agent has left the bus")
            // As often as it gets until the new one is there.
            let tries = Task {
                // Cancelled in the middle of a call, that one has no answer.
                while !Task.isCancelled, let refused = try? await isRefused(peer, guess()) { #expect(refused) }
            }
            try await daemon.line(containing: "the agent has registered", count: 2)
            tries.cancel()
            await tries.value
            let second = try await AgentProcess(of: daemon, on: terminal, count: 2)
            #expect(second.pid != agent.pid)
            try await peer.signIn("ana", pin: "1234")
            #expect(try await peer.signOut()?.outcome == .cleared)
        }
    }
}
