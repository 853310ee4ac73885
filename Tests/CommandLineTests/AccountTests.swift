import Foundation
import Glibc
import TerminalTesting
import Testing

/// Whose accounts `batonctl account` changes.
@Suite(.timeLimit(.minutes(2)))
struct AccountTests {
    private static let systemFile = "/etc/baton/accounts.yaml"

    /// Removes an account as somebody for whom nothing but the two buses says which batond is meant.
    private func remove(
        _ username: String, _ options: [String] = [], on terminal: Terminal, systemBus: String
    ) async throws -> (status: Int32, output: String) {
        let program = try terminal.run(
            ["batonctl", "account", "remove", username] + options,
            environment: ["BATON_BUS": "", "DBUS_SYSTEM_BUS_ADDRESS": systemBus])
        let status = await program.end()
        return (status, program.output)
    }

    @Test func `where batond is on the system bus they are the terminal's, as for every other command`() async throws {
        let quiet = "agent: {required: false, start: false}\n"
        let (system, session) = (try Terminal(settings: quiet), try Terminal(settings: quiet))
        let daemon = try await system.startDaemon(agent: false)
        // Nobody has that name, so that nothing is changed on a machine that is a terminal.
        let (status, output) = try await remove(
            "nobody-of-that-name", on: session, systemBus: system.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        #expect(status != 0)
        #expect(output.contains("/etc/baton") && !output.contains(session.folder), "\(output)")
        let (own, said) = try await remove(
            "bo", ["--session"], on: session, systemBus: system.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "")
        #expect(own == 0, "\(said)")
        #expect(said.contains("\(session.folder)/config/baton/accounts.yaml"), "\(said)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `root is told of a file that no batond of the system reads, unless they said that they mean it`()
        async throws
    {
        let terminal = try Terminal()
        let nowhere = "unix:path=\(terminal.folder)/nobody"
        let (status, output) = try await remove("bo", on: terminal, systemBus: nowhere)
        #expect(status == 0, "\(output)")
        #expect(output.contains("\(terminal.folder)/config/baton/accounts.yaml"), "\(output)")
        let isTold = output.contains("--system") && output.contains(Self.systemFile)
        #expect(isTold == (geteuid() == 0), "\(output)")
        try terminal.configure(Terminal.quick)
        let (meant, said) = try await remove("bo", ["--session"], on: terminal, systemBus: nowhere)
        #expect(meant == 0 && !said.contains("--system"), "\(said)")
    }

    // MARK: From the settings file to a file of their own

    private static let settings = "config/baton/baton.yaml"
    private static let file = "config/baton/accounts.yaml"

    /// Moves the accounts to where they were before they had a file of their own.
    private func makeOld(_ terminal: Terminal) throws -> String {
        let accounts = try String(contentsOfFile: "\(terminal.folder)/\(Self.file)", encoding: .utf8)
        let rows = accounts.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map { "  \($0)\n" }.joined()
        let text = "# mine\nidentity:\n  accounts:\n\(rows)\(Terminal.quick)"
        try terminal.write(text, to: Self.settings)
        chmod("\(terminal.folder)/\(Self.settings)", 0o600)
        unlink("\(terminal.folder)/\(Self.file)")
        return text
    }

    @Test func `the first change moves the accounts, says so, and no account comes back through the old list`()
        async throws
    {
        let terminal = try Terminal()
        let text = try makeOld(terminal)
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        let moved = try await terminal.batonctl("account", "remove", "bo")
        #expect(moved.status == 0, "\(moved.output)")
        let place =
            "\(terminal.folder)/\(Self.settings):3: identity.accounts no longer counts. Delete it from that file."
        #expect(moved.output.contains("Moved the accounts from ") && moved.output.contains(place), "\(moved.output)")
        #expect(try String(contentsOfFile: "\(terminal.folder)/\(Self.settings)", encoding: .utf8) == text)
        #expect(try await peer.refusal { try await peer.signIn("bo", pin: "5678") } == "NotAuthorized")
        try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        // As long as the list is there it is told of: by each change, by --check and by the next start.
        let added = try await terminal.batonctl("account", "add", "cy", "--pin-stdin", "--json", input: "2222")
        #expect(added.status == 0 && added.output.contains(place), "\(added.output)")
        #expect(!added.output.contains("Moved") && added.output.contains(#"/accounts.yaml""#), "\(added.output)")
        let warning = "baton.yaml:3: identity.accounts: has no effect, since the accounts are in"
        let check = try terminal.run(["batond", "--check", "--session"])
        #expect(await check.end() == 0)
        #expect(check.output.contains(warning), "\(check.output)")
        let doctor = try await terminal.batonctl("doctor", "--session")
        #expect(doctor.output.contains(warning), "\(doctor.output)")
        await daemon.kill()
        let again = try await terminal.startDaemon()
        #expect(again.output.contains(warning), "\(again.output)")
        let next = try await Peer(terminal)
        #expect(try await next.refusal { try await next.signIn("bo", pin: "5678") } == "NotAuthorized")
        try await next.signIn("cy", pin: "2222")
        withExtendedLifetime(again) {}
    }

    @Test func `a reload reads the accounts as well, and takes nothing from a file with a fault`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        let path = "\(terminal.folder)/\(Self.file)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try terminal.write(text + "mode: shared\n", to: Self.file)
        let refused = try await terminal.batonctl("reload")
        #expect(
            refused.status == 1 && refused.output.contains("accounts.yaml:6: mode: unknown key"), "\(refused.output)")
        try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        try terminal.write("accounts: []\n", to: Self.file)
        daemon.signal(SIGHUP)
        try await daemon.line(containing: "the settings were reloaded")
        #expect(try await peer.refusal { try await peer.signIn("ana", pin: "1234") } == "NotAuthorized")
        // Without the file there are no accounts; one that cannot be read is no reason to start without them.
        unlink(path)
        #expect(try await terminal.batonctl("reload").status == 0)
        mkdir(path, 0o700)
        let check = try terminal.run(["batond", "--check", "--session"])
        #expect(await check.end() == 78)
        #expect(check.output.contains("\(path): is not a file"), "\(check.output)")
        rmdir(path)
        withExtendedLifetime(daemon) {}
    }

    @Test(arguments: zip(["accounts are written", "accounts are in place"], [false, true]))
    func `a change that is killed has happened or not, and the next one works`(step: String, isDone: Bool) async throws
    {
        let terminal = try Terminal()
        let path = "\(terminal.folder)/\(Self.file)"
        let before = try String(contentsOfFile: path, encoding: .utf8)
        let killed = try terminal.run(
            ["batonctl", "account", "remove", "bo"],
            environment: ["BATON_KILL_AT": "batonctl:1:\(terminal.folder)/killed:\(step)"])
        _ = await killed.end()
        try #require(terminal.exists("killed"), "it was not killed: \(killed.output)")
        let list = try await terminal.batonctl("account", "list")
        #expect(list.status == 0 && list.output.contains("bo ") == !isDone, "\(list.output)")
        let after = try String(contentsOfFile: path, encoding: .utf8)
        #expect(isDone ? !after.contains("\"bo\"") && after.contains("\"ana\"") : after == before)
        #expect(try await terminal.batonctl("account", "remove", isDone ? "ana" : "bo").status == 0)
        #expect(!terminal.exists("config/baton/.accounts.yaml.new"))
        let check = try terminal.run(["batond", "--check", "--session"])
        #expect(await check.end() == 0, "\(check.output)")
    }
}
