import Baton
import DBus
import TerminalTesting
import Testing

extension Rounds {
    /// A journal that cannot be written: batond may write no more, as on a full disk.
    @Suite("A full disk", .timeLimit(.minutes(3)))
    struct FullDiskTests {
        static let app = "org.example.App"
        let terminal: Terminal
        let daemon: Program
        let desk: Peer

        init() async throws {
            terminal = try Terminal(settings: Terminal.patient)
            // What would end a process that writes too much shall only be an error to it.
            daemon = try terminal.run(["sh", "-c", "trap '' XFSZ; exec \(Terminal.binaries)/batond --session"])
            try await daemon.line(containing: "the agent has registered")
            desk = try await Peer(terminal)
        }

        private func allow(_ bytes: String) async throws {
            let limit = try terminal.run(["prlimit", "--fsize=\(bytes):", "--pid", "\(daemon.pid)"])
            #expect(await limit.end() == 0, "\(limit.output)")
        }

        @Test func `a worker is signed out all the same, and nobody follows until it can be written again`()
            async throws
        {
            let app = try await Puppet(terminal)
            let registration = try await app.peer.register(Self.app)
            let epoch = try await desk.signIn("ana", pin: "1234")
            try await allow("0")
            let signOut = try await desk.beginSignOut()
            // It has cleared, but that is not on disk, so it is not promised.
            #expect(
                try await app.peer.refusal { try await app.peer.acknowledge(epoch, registration.instance) }
                    == "Failed")
            let receipt = try #require(try await signOut.value)
            #expect(receipt.outcome == .quarantined)
            #expect(receipt.explanation.contains("journal"))
            #expect(try await desk.phase() == "quarantined")
            #expect(try await desk.refusal { try await desk.signIn("bo", pin: "5678") } != nil)

            try await allow("unlimited")
            _ = try await desk.signOut()
            try await desk.waitForPhase(.ready)
            #expect(try await desk.signIn("bo", pin: "5678") == epoch.next)
            let last = try await desk.beginSignOut()
            try await app.peer.acknowledge(epoch.next, registration.instance)
            #expect(try await last.value?.outcome == .cleared)
            let kept = try await terminal.device().receipt(epoch)
            #expect(kept.outcome == .quarantined)
            #expect(kept.release?.by == .retry)
        }

        @Test func `an app whose taking part could not be written down takes none until it can`() async throws {
            try await desk.signIn("ana", pin: "1234")
            try await allow("0")
            let app = try await Puppet(terminal)
            for _ in 1...2 {
                #expect(try await app.peer.refusal { try await app.peer.register(Self.app) } == "Failed")
            }
            #expect(try await desk.list().isEmpty)
            try await allow("unlimited")
            // The try is one to write: the next one is heard.
            _ = try await app.peer.refusal { try await app.peer.register(Self.app) }
            try await app.peer.register(Self.app)
            #expect(try await desk.list().count == 1)
            #expect(try await desk.phase() == "in-use")
        }

        @Test func `no worker can sign in whose turn could not be written down`() async throws {
            let last = try await desk.epoch()
            try await allow("0")
            #expect(try await desk.refusal { try await desk.signIn("ana", pin: "1234") } == "Failed")
            #expect(try await desk.phase() == "ready")
            // It says what is so.
            #expect(try await terminal.device().deviceInformation().missing.contains("no worker can sign in"))
            let status = try await terminal.batonctl("status")
            #expect(status.output.contains("not ready: the journal cannot be written"), "\(status.output)")
            #expect(try await desk.epoch() == last)
            try await allow("unlimited")
            #expect(try await desk.signIn("ana", pin: "1234") == last.next)
            #expect(try await terminal.device().deviceInformation().missing.isEmpty)
        }
    }
}
