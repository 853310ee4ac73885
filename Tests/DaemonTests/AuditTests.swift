import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

/// What is asked for as an administrator stands in the log: what, by whom, and what came of it.
@Suite("The audit trail", .timeLimit(.minutes(4)))
struct AuditTests {
    private static let settings = "agent: {required: false, start: false}\n" + Terminal.patient

    private func holds(_ line: String, _ words: String...) {
        for word in words { #expect(line.contains(" \(word) "), "\(word): \(line)") }
    }

    private var own: String { "uid=\(geteuid())" }

    @Test func `mode, reload, forgotten apps and a sign-out are lines with who asked and what came of it`() async throws
    {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        let device = try await terminal.device()
        let user = UserName.own

        try await device.setDeviceMode(.personal)
        try await device.setDeviceMode(.shared)
        holds(
            try await daemon.line(containing: "the mode was to be set", count: 1), own, "mode=default", "outcome=done",
            user)
        holds(
            try await daemon.line(containing: "the mode was to be set", count: 2), own, "mode=shared", "outcome=done",
            user)

        _ = try await device.reload()
        holds(try await daemon.line(containing: "the settings were to be read anew"), own, "outcome=done")
        try terminal.configure("barrier: {hardly: 1s}\n")
        await #expect(throws: BatonError.self) { _ = try await device.reload() }
        holds(
            try await daemon.line(containing: "the settings were to be read anew: failed"), own,
            "outcome=InvalidArgument")

        await #expect(throws: BatonError.self) { try await device.forgetApp(uid: 7, id: "org.example.None") }
        holds(
            try await daemon.line(containing: "what an app owes was to be forgotten"), own, "app=org.example.None",
            "app-uid=7")
        await #expect(throws: BatonError.self) { _ = try await device.endQuarantine() }
        holds(try await daemon.line(containing: "a quarantine was to be ended: failed"), own)

        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        #expect(try await terminal.batonctl("sign-out", "--reason", "administrator").status == 0)
        holds(try await daemon.line(containing: "the worker was to be signed out"), own, "outcome=done", user)
    }

    @Test func `accounts that come, change and go are lines, by a mask unless the settings say otherwise`() async throws
    {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        let added = try await terminal.batonctl(
            "account", "add", "zoe", "--name", "Zoe Kern", "--pin-stdin", input: "2468\n")
        #expect(added.status == 0, "\(added.output)")
        holds(try await daemon.line(containing: "a local account was added"), own, "account=z...", "outcome=added")
        let changed = try await terminal.batonctl("account", "set-pin", "zoe", "--pin-stdin", input: "1357\n")
        #expect(changed.status == 0, "\(changed.output)")
        holds(try await daemon.line(containing: "a local account was changed"), own, "account=z...", "fields=pin")
        try terminal.configure(Self.settings + "log: {names: plain}\n", accounts: false)
        daemon.signal(SIGHUP)
        holds(try await daemon.line(containing: "a local account was removed", count: 3), "user=SIGHUP", "account=zoe")
        #expect(!daemon.output.contains("2468") && !daemon.output.contains("Kern"), "\(daemon.output)")
    }

    @Test func `an account that wrong PINs have locked is listed, and unlocked by an administrator`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        #expect(
            try await terminal.batonctl("account", "locked").output
                == "No account has a wrong PIN since its last correct one.")
        let peer = try await Peer(terminal)
        for pin in ["0000", "0001", "0002"] {
            #expect(try await peer.refusal { try await peer.signIn("ana", pin: pin) } == "NotAuthorized")
        }
        let device = try await terminal.device()
        #expect(
            try await device.pinAttempts() == [
                PINAttemptsStatus(username: "ana", isFromStartPage: false, wrongPINs: 3, lockedUntil: 0)
            ])
        let shown = try await terminal.batonctl("account", "locked")
        #expect(
            shown.output.split(separator: " ", omittingEmptySubsequences: true) == [
                "ana", "3", "wrong", "PINs", "elsewhere",
            ])
        let unlocked = try await terminal.batonctl("account", "unlock", "ana", "--json")
        #expect(unlocked.status == 0 && unlocked.output.contains(#""unlocked" : "ana""#), "\(unlocked.output)")
        holds(
            try await daemon.line(containing: "an account's wrong PINs were to be forgotten"), own, "account=a...",
            "outcome=done")
        #expect(try await device.pinAttempts().isEmpty)
        // A restart has nothing of them either.
        await daemon.kill()
        let again = try await terminal.startDaemon(agent: false)
        #expect(try await terminal.device().pinAttempts().isEmpty)
        let none = try await terminal.batonctl("account", "unlock", "nina")
        #expect(none.status == 1 && none.output.contains("no account has this name"), "\(none.output)")
        withExtendedLifetime(again) {}
    }

    @Test(.enabled(if: geteuid() == 0, "only root becomes another user"))
    func `who may not ask is refused and named, and cannot fill the log`() async throws {
        let terminal = try Terminal(settings: Self.settings, isOpen: true)
        let daemon = try await terminal.startDaemon(agent: false)
        let script = """
            for i in $(seq 40); do
              busctl --address="$0" call org.baton.Device1 /org/baton/Device1 org.baton.Device1.Administration \
                SetDeviceMode s default 2>&1
            done | sort | uniq -c
            """
        let stranger = try terminal.run(
            [
                "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-c", script,
                terminal.bus.rawAddress,
            ])
        #expect(await stranger.end() == 0)
        #expect(
            stranger.output.contains("40 Call failed: Only an administrator of this device may do that."),
            "\(stranger.output)")
        let line = try await daemon.line(containing: "the mode was to be set: refused")
        holds(line, "uid=65534", "outcome=NotAuthorized", "count=1")
        let lines = daemon.output.split(separator: "\n").count { $0.contains("refused") }
        #expect(lines < 20, "\(daemon.output)")
        #expect(try await terminal.batonctl("device-mode").output == "shared")
    }

    @Test func `what a caller writes takes no more of the log than a name does`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        let long = String(repeating: "x", count: 60_000)
        #expect(try await peer.refusal { try await peer.call(Administration.setDeviceMode, long) } == "InvalidArgument")
        #expect(
            try await peer.refusal { try await peer.call(Administration.forgetApp, (7, long)) } == "InvalidArgument")
        for text in ["the mode was to be set", "what an app owes was to be forgotten"] {
            let line = try await daemon.line(containing: text)
            #expect(line.contains("xxx") && line.utf8.count < 600, "\(line.utf8.count)")
        }
    }
}

private enum UserName {
    /// As the log has it.
    static var own: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "user=" }
        return "user=\(String(cString: name))"
    }
}
