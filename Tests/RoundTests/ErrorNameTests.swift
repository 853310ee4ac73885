import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    /// Each error name that can occur with local accounts, once; what says more about each stands in the other suites.
    @Suite("Every error name", .timeLimit(.minutes(3)))
    struct ErrorNameTests {
        /// What only identity providers and tokens bring.
        static let ofProviders: Set<BatonError.Code> = [
            .alreadySignedIn, .interactionRequired, .serverDeclinedScopes, .invalidRedirectURI,
            .redirectSchemeNotRegistered, .providerUnreachable, .providerRejected, .pinRequired,
        ]

        @Test func `is provoked`() async throws {
            let terminal = try Terminal(settings: Terminal.patient)
            // What would end a process that writes too much shall only be an error to it.
            let daemon = try terminal.run(["sh", "-c", "trap '' XFSZ; exec \(Terminal.binaries)/batond --session"])
            try await daemon.line(containing: "the agent has registered")
            let (desk, app) = (try await Peer(terminal), try await Puppet(terminal))
            var seen: Set<String> = []
            func provoke(_ name: String, on peer: Peer? = nil, _ body: (Peer) async throws -> Void) async throws {
                let peer = peer ?? desk
                let refusal = try await peer.refusal { try await body(peer) }
                #expect(refusal == name)
                if let refusal { seen.insert(refusal) }
            }

            try await provoke("NotSignedIn") { try await $0.call(Device1.keepSignedIn) }
            try await provoke("InvalidArgument") { _ = try await $0.call(Device1.getReceipt, 1) }
            for _ in 0..<4 { try await provoke("NotAuthorized") { try await $0.signIn("ana", pin: "0") } }
            let caller = try await Peer(terminal)
            let signIn = Task { try await caller.signIn("ana", pin: "1234") }
            try await desk.waitForPhase(.signingIn)
            try await provoke("SigningIn") { try await $0.signIn("bo", pin: "5678") }
            try await caller.call(Device1.cancelSignIn)
            try await provoke("UserCanceled") { _ in _ = try await signIn.value }

            let registration = try await app.peer.register("org.example.App")
            let epoch = try await desk.signIn("bo", pin: "5678")
            try await provoke("AccountMismatch") { peer in
                // The PIN was wrong before, so this takes a while.
                try await peer.signIn("ana", pin: "1234")
            }
            try await provoke("NotRegistered", on: app.peer) { try await $0.acknowledge(epoch, 4711) }
            try await provoke("StaleEpoch", on: app.peer) { try await $0.acknowledge(epoch, registration.instance) }
            let signOut = try await desk.beginSignOut()
            try await provoke("SigningOut") { try await $0.signIn("bo", pin: "5678") }
            let long: VariantDictionary = ["files": .string(String(repeating: "x", count: 70_000))]
            try await provoke("LimitExceeded", on: app.peer) {
                try await $0.acknowledge(epoch, registration.instance, details: long)
            }
            try await app.peer.acknowledge(epoch, registration.instance)
            _ = try await signOut.value

            try await desk.call(Administration.setDeviceMode, "default")
            try await provoke("NotShared") { try await $0.signIn("bo", pin: "5678") }
            try await desk.call(Administration.setDeviceMode, "shared")

            #expect(await (try terminal.run(["prlimit", "--fsize=0:", "--pid", "\(daemon.pid)"])).end() == 0)
            try await provoke("Failed", on: app.peer) { try await $0.register("org.example.App") }
            #expect(await (try terminal.run(["prlimit", "--fsize=unlimited:", "--pid", "\(daemon.pid)"])).end() == 0)
            daemon.signal(9)

            try await provokeQuarantined(&seen)
            try await provokeAgentMissing(&seen)
            let expected = Set(BatonError.Code.allCases).subtracting(Self.ofProviders).map(\.rawValue)
            #expect(seen == Set(expected))
        }

        private func provokeQuarantined(_ seen: inout Set<String>) async throws {
            // All of it runs out, since the agent is paused.
            let terminal = try Terminal(settings: "barrier: {soft: 300ms, hard: 1s, containment: 3s, absolute: 5s}\n")
            let daemon = try await terminal.startDaemon()
            let desk = try await Peer(terminal)
            try await desk.signIn("ana", pin: "1234")
            let agent = try await AgentProcess(of: daemon, on: terminal)
            agent.pause()
            #expect(try await desk.signOut()?.outcome == .quarantined)
            if let name = try await desk.refusal({ try await desk.signIn("ana", pin: "1234") }) { seen.insert(name) }
            agent.resume()
        }

        private func provokeAgentMissing(_ seen: inout Set<String>) async throws {
            let terminal = try Terminal(settings: "agent: {start: false}\n")
            let daemon = try await terminal.startDaemon(agent: false)
            let desk = try await Peer(terminal)
            if let name = try await desk.refusal({ try await desk.signIn("ana", pin: "1234") }) { seen.insert(name) }
            withExtendedLifetime(daemon) {}
        }
    }
}
