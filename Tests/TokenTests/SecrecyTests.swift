import Baton
import DBus
import Glibc
import ProviderTesting
import TerminalTesting
import Testing

/// Tokens that can be recognised wherever they get to.
@Suite("The secrecy of tokens", .timeLimit(.minutes(2)))
struct SecrecyTests {
    private static let mark = "canary7f3a"
    private static let kinds = ["code", "access", "refresh"].map { "\(mark)-\($0)-" }

    private struct Turn {
        var ward: ProviderTerminal
        var provider: DevelopmentProviderProcess
        var idTokens: [String]
    }

    /// A turn with every way by which a token goes: a page, memory, refreshes, a second page, refusals, and its end.
    private func turn() async throws -> Turn {
        let provider = try await DevelopmentProviderProcess.start(["--token-mark", Self.mark])
        let ward = try await ProviderTerminal.start(at: provider.issuer, arguments: ["--log-level", "trace"])
        let app = try await TokenApp.register(ward.terminal)
        var tokens = [try await app.interactively(ward, provider.browser())]
        tokens.append(try await app.silently())
        for _ in 0..<5 { tokens.append(try await app.silently(TokenRequest(forceRefresh: true))) }
        tokens.append(try await app.interactively(TokenRequest(scopes: ["mail"]), ward, provider.browser()))
        for fault in ["wrong-signature", "other-subject-on-refresh", "hostile-claims", "invalid-grant-on-refresh"] {
            try await provider.misbehave(fault)
            _ = try? await app.silently(TokenRequest(forceRefresh: true))
            try await provider.behave()
        }
        _ = try? await app.silently(TokenRequest(account: "somebody"))
        for token in tokens { #expect(token.accessToken.hasPrefix("\(Self.mark)-access-")) }
        #expect(try await ward.device.signOut().receipt?.outcome == .cleared)
        return Turn(ward: ward, provider: provider, idTokens: tokens.map(\.idToken))
    }

    @Test func `nothing of them is on a disk, in a log, in a process's arguments or in its environment`() async throws {
        let turn = try await turn()
        let daemon = turn.ward.daemon
        let agent = try await AgentProcess(of: daemon, on: turn.ward.terminal)
        let search = try turn.ward.terminal.run([
            "sh", "-c",
            "find \(turn.ward.terminal.folder) -type f -exec cat {} +; "
                + "for p in \(daemon.pid) \(agent.pid); do cat /proc/$p/environ /proc/$p/cmdline; done | tr '\\0' '\\n'",
        ])
        _ = await search.end()
        #expect(search.output.contains("SQLite") && search.output.contains("baton-agent"))
        for place in [search.output, daemon.output] {
            #expect(!place.contains(Self.mark))
            // Signed tokens of any kind begin so.
            #expect(!place.contains("eyJ"))
        }
    }

    @Test func `batond leaves no core, and no other process of its user can look into it`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        let daemon = try await terminal.startDaemon()
        let search = try terminal.run(["cat", "/proc/\(daemon.pid)/limits"])
        _ = await search.end()
        let line = try #require(search.output.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(line.split(separator: " ").filter { $0 == "0" }.count == 2)
        // The kernel gives what belongs to a process that must not be dumped to root.
        var status = stat()
        #expect(stat("/proc/\(daemon.pid)/mem", &status) == 0 && status.st_uid == 0)
    }

    /// What is left of secrets in batond's memory after a sign-out. All of it has ended at the provider by then.
    private enum Remains: String {
        /// A code, which counts once: in the buffers of the loopback page's connection, until the browser closes it.
        case redirect = "/signed-in?code="
        /// The last token answer: in the buffers of the connection to the provider, until that has been idle for a minute.
        case answer = "_token\":\""
        /// The last answers to apps: libdbus keeps up to five messages to use their memory again.
        case message = "-token..s."
        /// One of these, of which something newer has overwritten the beginning.
        case rest = ""

        /// What the nearest mark before a secret says.
        init(_ place: ProcessMemory.Place) {
            let marks = [Self.redirect, .answer, .message].compactMap { kind in
                place.before.ranges(of: kind.rawValue).last.map { (kind, $0.upperBound) }
            }
            self = marks.max { $0.1 < $1.1 }?.0 ?? .rest
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may read it"))
    func `after the sign-out root finds in batond's memory only what is known to be left`() async throws {
        let turn = try await turn()
        let signatures = Set(turn.idTokens.compactMap { $0.split(separator: ".").last.map(String.init) })
        #expect(!signatures.isEmpty)
        let left = try ProcessMemory(pid: turn.ward.daemon.pid).places(of: Self.kinds + signatures)
        var counts: [Remains: Int] = [:]
        for place in left { counts[Remains(place), default: 0] += 1 }
        print("left in memory: \(counts.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", "))")
        // Two pages; three secrets in an answer, two in a message.
        #expect(counts[.redirect, default: 0] <= 8)
        #expect(counts[.answer, default: 0] <= 6)
        #expect(counts[.message, default: 0] <= 10)
        #expect(counts[.rest, default: 0] <= 2)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may read it"))
    func `what systemd kept over a restart is in the memory of the one after it no longer than its turn`() async throws
    {
        let provider = try await DevelopmentProviderProcess.start(["--token-mark", Self.mark])
        let terminal = try Terminal(settings: "", accounts: false)
        try terminal.configure(
            ProviderTerminal.settings(provider.issuer, "baton", []) + Terminal.patient, accounts: false)
        let manager = try await terminal.startManaged()
        let ward = ProviderTerminal(terminal: terminal, daemon: manager, device: try await terminal.device())
        try await ward.signIn(DevelopmentProviderProcess.ana, with: provider.browser())
        try await manager.line(containing: "manager: stored")
        try await manager.killManagedDaemon(start: 1)
        try await manager.line(containing: "the worker's session was taken over")
        let memory = ProcessMemory(pid: try await manager.managedDaemon(start: 2))
        // As it is kept: the tokens in a document of Baton's own.
        let kept = "\"refreshToken\":\"\(Self.mark)"
        let files = try terminal.run([
            "sh", "-c", "cd /proc/\(manager.pid)/fd && cat $(ls -l | grep -o '[0-9]* -> /memfd:' | cut -d' ' -f1)",
        ])
        _ = await files.end()
        #expect(files.output.contains(kept))
        #expect(try await ward.device.signOut().receipt?.provider == .signedOut)
        #expect(try memory.places(of: [kept]).map(\.before) == [])
    }
}
