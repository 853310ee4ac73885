import Baton
import BusTesting
import DBus
import Glibc
import TerminalTesting
import Testing

@Suite("Administration", .timeLimit(.minutes(4)))
struct AdministrationTests {
    @Test func `leaving shared mode signs the worker out first and survives a restart`() async throws {
        let terminal = try Terminal(settings: Terminal.patient)
        var daemon = try await terminal.startDaemon()
        let app = try terminal.run(["baton-example-handover", "\(terminal.folder)/data"])
        try await app.line(containing: "ready")
        let peer = try await Peer(terminal)
        let epoch = try await peer.signIn("ana", pin: "1234")
        try await app.line(containing: "Ana Horvat")
        #expect(try await terminal.batonctl("device-mode").output == "shared")

        let set = try await terminal.batonctl("device-mode", "set", "default")
        #expect(set.status == 0, "\(set.output)")
        #expect(!terminal.exists("data/handover.txt"))
        #expect(try await peer.receipt(epoch)?.reason == .administrator)
        for _ in 1...2 {
            #expect(try await terminal.batonctl("device-mode").output == "default")
            #expect(try await peer.refusal { try await peer.signIn("ana", pin: "1234") } == "NotShared")
            #expect(try await peer.refusal { _ = try await peer.signOut() } == "NotShared")
            await daemon.kill()
            daemon = try await terminal.startDaemon()
        }
        #expect(try await terminal.batonctl("device-mode", "set", "shared").status == 0)
        #expect(try await peer.signIn("ana", pin: "1234") == epoch.next)
        await app.kill()
        withExtendedLifetime(daemon) {}
    }

    @Test func `a new device has the mode of its settings`() async throws {
        let terminal = try Terminal(settings: "mode: default\n")
        let daemon = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("device-mode").output == "default")
        #expect(try await terminal.batonctl("device-mode", "set", "shared").status == 0)
        await daemon.kill()
        let again = try await terminal.startDaemon()
        #expect(try await terminal.batonctl("device-mode").output == "shared")
        withExtendedLifetime(again) {}
    }

    @Test func `wrong settings are not taken over, not even in part`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        try terminal.configure("barrier:\n  soft: 300ms\n  hardly: 1s\n", accounts: false)
        let reload = try await terminal.batonctl("reload")
        #expect(reload.status == 1)
        #expect(reload.output.contains("baton.yaml:3: barrier.hardly"), "\(reload.output)")
        // The accounts are gone from the file, not from the device.
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        try terminal.configure(Terminal.quick, accounts: false)
        #expect(try await terminal.batonctl("reload").status == 0)
        #expect(try await peer.refusal { try await peer.signIn("ana", pin: "1234") } == "NotAuthorized")
        withExtendedLifetime(daemon) {}
    }

    @Test func `of two reloads at once one takes the change over, and the other finds nothing changed`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peers = [try await Peer(terminal), try await Peer(terminal)]
        for soft in ["301ms", "302ms", "303ms"] {
            try terminal.configure("barrier: {soft: \(soft)}\n")
            async let first = peers[0].call(Administration.reload)
            async let second = peers[1].call(Administration.reload)
            let changed = try await [ReloadReport(first).changed, ReloadReport(second).changed]
            #expect(changed.count(where: \.isEmpty) == 1, "\(changed)")
        }
        withExtendedLifetime(daemon) {}
    }

    @Test func `accounts are added, changed and removed on a running device`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        let peer = try await Peer(terminal)
        let added = try await terminal.batonctl(
            "account", "add", "cy", "--name", "Cy Young", "--locale", "hr", "--pin-stdin", input: "2222")
        #expect(added.status == 0, "\(added.output)")
        #expect(added.output.contains("batond has read its settings again."))
        #expect(try await terminal.batonctl("sign-in", "cy", "--pin-stdin", input: "2222").status == 0)
        let account = try await terminal.batonctl("account")
        #expect(account.output.contains("Cy Young (cy)"), "\(account.output)")
        _ = try await peer.signOut()
        #expect(try await terminal.batonctl("account", "set-pin", "cy", "--pin-stdin", input: "3333").status == 0)
        #expect(try await peer.refusal { try await peer.signIn("cy", pin: "2222") } == "NotAuthorized")
        try await peer.signIn("cy", pin: "3333")
        _ = try await peer.signOut()
        #expect(try await terminal.batonctl("account", "remove", "cy").status == 0)
        #expect(try await peer.refusal { try await peer.signIn("cy", pin: "3333") } == "NotAuthorized")
        #expect(try await terminal.batonctl("account", "remove", "cy").status == 1)
        #expect(try await terminal.batonctl("account", "add", "ana", "--pin-stdin", input: "1111").status == 1)
        try await peer.signIn("ana", pin: "1234")
        withExtendedLifetime(daemon) {}
    }

    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else"))
    func `only an administrator administers`() async throws {
        let terminal = try Terminal()
        let daemon = try await terminal.startDaemon()
        chmod(terminal.bus.folder, 0o755)
        chmod("\(terminal.bus.folder)/bus", 0o666)
        func asNobody(_ arguments: String...) async throws -> (status: Int32, output: String) {
            let program = try terminal.run(
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "\(Terminal.binaries)/batonctl"]
                    + arguments)
            return (await program.end(), program.output)
        }
        let mode = try await asNobody("device-mode")
        guard mode.status == 0 else { return print("skipped: nobody cannot run batonctl here: \(mode.output)") }
        for arguments in [
            ["reload"], ["reset"], ["receipts", "export"], ["receipts", "key"], ["device-mode", "set", "default"],
            ["apps", "forget", "a.b", "--uid", "0"],
        ] {
            let program = try terminal.run(
                ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "\(Terminal.binaries)/batonctl"]
                    + arguments)
            #expect(await program.end() == 77, "\(arguments): \(program.output)")
            #expect(program.output.contains("administrator"))
        }
        #expect(try await asNobody("sign-out", "--reason", "administrator").status == 77)
        // Who administers is asked when the settings are read.
        try terminal.configure("administrators: [root, nobody]\n")
        #expect(try await terminal.batonctl("reload").status == 0)
        #expect(try await asNobody("reload").status == 0)
        try terminal.configure("administrators: [root]\n")
        #expect(try await asNobody("reload").status == 0)
        #expect(try await asNobody("reload").status == 77)
        // Whose receipt it is stays hidden.
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        _ = try await peer.signOut()
        let receipts = try await asNobody("receipts", "--json")
        #expect(receipts.status == 0, "\(receipts.output)")
        #expect(!receipts.output.contains("Ana Horvat"))
        #expect(try await terminal.batonctl("receipts", "--json").output.contains("Ana Horvat"))
        withExtendedLifetime(daemon) {}
    }
}
