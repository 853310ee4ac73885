import Baton
import BusTesting
import DBus
import FolderTesting
import GRDB
import Glibc
import TerminalTesting
import Testing

@Suite("Receipts as an audit trail", .timeLimit(.minutes(4)))
struct ReceiptAuditTests {
    private static let settings = "agent: {required: false, start: false}\n" + Terminal.patient

    @Test func `are exported and verified elsewhere, and a change of the database is found`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        var daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        var first: Epoch = 0
        for worker in [("ana", "1234"), ("bo", "5678")] {
            let epoch = try await peer.signIn(worker.0, pin: worker.1)
            if first == 0 { first = epoch }
            _ = try await peer.signOut()
        }
        let line = try await daemon.line(containing: "the worker is signed out", count: 2)
        let head = try #require(line.split(separator: " ").first { $0.hasPrefix("receipt-head=2:") }).dropFirst(13)
        let ready = try await daemon.line(containing: "] ready")
        let key = try #require(ready.split(separator: " ").first { $0.contains("receipt-key=") }).drop { $0 != "=" }

        let (export, pem) = ("\(terminal.folder)/receipts.jsonl", "\(terminal.folder)/receipts.pem")
        let exported = try await terminal.batonctl("receipts", "export", "--output", export)
        #expect(exported.status == 0 && exported.output.contains("Head: \(head)"), "\(exported.output)")
        let told = try await terminal.batonctl("receipts", "key")
        #expect(told.status == 0 && told.output.contains("-----BEGIN PUBLIC KEY-----"), "\(told.output)")
        try terminal.write(told.output + "\n", to: "receipts.pem")
        var status = stat()
        #expect(stat(export, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let later = try await terminal.batonctl("receipts", "export", "--since", "\(first.next)")
        #expect(later.status == 0 && later.output.split(separator: "\n").count == 1)

        // Nothing takes the place of what is no file.
        #expect(symlink("/dev/null", "\(terminal.folder)/data/pipe") == 0)
        let nowhere = try await terminal.batonctl("receipts", "export", "--output", "\(terminal.folder)/data/pipe")
        #expect(nowhere.status == 0 && lstat("\(terminal.folder)/data/pipe", &status) == 0, "\(nowhere.output)")
        #expect(status.st_mode & S_IFMT == S_IFLNK)

        // As on another machine: no bus, no batond.
        func verify(_ more: String...) async throws -> (status: Int32, output: String) {
            let program = try terminal.run(
                ["batonctl", "receipts", "verify", "--export", export] + more,
                environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"])
            return (await program.end(), program.output)
        }
        let verified = try await verify("--key", pem, "--head", String(head))
        #expect(verified.status == 0 && verified.output.contains("Entries 1 to 2 are"), "\(verified.output)")
        let logged = String(key.dropFirst().filter { !")\"".contains($0) })
        #expect(try await verify("--key", logged).status == 0)
        #expect(try await terminal.batonctl("receipts", "verify").status == 0)

        await daemon.kill()
        let database = try DatabaseQueue(path: "\(terminal.folder)/state/baton/baton.sqlite")
        try await database.write { db in
            try db.execute(sql: "UPDATE receipts SET value = replace(value, 'Ana', 'Eva')")
        }
        try database.close()
        daemon = try await terminal.startDaemon(agent: false)
        let changed = try await terminal.batonctl("receipts", "verify")
        #expect(changed.status == 1, "\(changed.output)")
        #expect(
            changed.output.contains("The receipt of entry 1 (turn \(first)) was changed"), "\(changed.output)")
        withExtendedLifetime(daemon) {}
    }

    @Test func `are signed with the key of a credential where the unit has one`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let credentials = "\(terminal.folder)/credentials"
        let file = "\(credentials)/baton-receipts-key"
        try terminal.write("", to: "credentials/none")
        let made = try terminal.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", file])
        #expect(await made.end() == 0)
        let shown = try terminal.run(["openssl", "pkey", "-in", file, "-pubout"])
        #expect(await shown.end() == 0)
        let daemon = try terminal.run(["batond", "--session"], environment: ["CREDENTIALS_DIRECTORY": credentials])
        try await daemon.line(containing: "] ready")
        let key = try await terminal.batonctl("receipts", "key")
        #expect(key.status == 0 && key.output == shown.output)
        #expect(!terminal.exists("state/baton/receipts-key"))
        await daemon.kill()

        // Another in its place would not be the one that was given away.
        try terminal.write("garbage", to: "credentials/baton-receipts-key")
        let refused = try terminal.run(["batond", "--session"], environment: ["CREDENTIALS_DIRECTORY": credentials])
        #expect(await refused.end() == 78)
        #expect(refused.output.contains("baton-receipts-key: not an Ed25519 key"), "\(refused.output)")
        #expect(!refused.output.contains("garbage"))
    }

    @Test func `come in pages that no answer grows beyond`() async throws {
        let terminal = try Terminal(settings: Self.settings)
        let daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        for _ in 1...3 {
            try await peer.signIn("ana", pin: "1234")
            _ = try await peer.signOut()
        }
        func page(_ options: VariantDictionary) async throws -> [UInt64?] {
            try await peer.call(Administration.exportReceipts, options).0.map { $0["sequence"]?.uint64 }
        }
        #expect(try await page(["entries": .uint32(2)]) == [1, 2])
        #expect(try await page(["after": .uint64(2)]) == [3])
        #expect(try await page(["entries": .uint32(0)]) == [])
        for options: VariantDictionary in [
            ["befor": .uint64(1)], ["after": .string("1")], ["after": .uint64(1), "time": .int64(1)],
        ] {
            #expect(try await peer.refusal { _ = try await page(options) } == "InvalidArgument")
        }
        withExtendedLifetime(daemon) {}
    }
}
