import FolderTesting
import GRDB
import Glibc
import Journal
import Testing
import Vocabulary

@testable import SessionMachine

@Suite(.timeLimit(.minutes(2))) struct DamageTests {
    /// A state folder as a power cut leaves it, with a log that holds all but the beginning.
    func crashed(_ change: (Database) throws -> Void = { _ in }) async throws -> TemporaryFolder {
        let source = try TemporaryFolder("journal")
        try source.write("0", to: "epoch")
        let opened = try Journal.open(in: source.path, now: now)
        try await opened.turn(1)
        try await opened.begin(2)
        try await opened.journal.write([
            .app(mail, AppRecord(clearedThrough: 1)), .entry(mail, RosterEntry(listed: true, proven: true)),
            .registration(4, Registration(app: mail, sender: ":1.4", pid: 4)),
        ])
        let other = try DatabaseQueue(path: source.path + "/baton.sqlite")
        try other.write(change)
        let copy = try TemporaryFolder("journal")
        try copy.put(source.database)
        for name in ["epoch", "device-id"] { try copy.put([name: source.bytes(of: name) ?? []]) }
        return copy
    }

    /// Opening must fail in that way, twice, and leave every byte as it was.
    func expect(_ kind: JournalFault.Kind, _ folder: TemporaryFolder, location: SourceLocation = #_sourceLocation) {
        let before = folder.database
        let epoch = folder.bytes(of: "epoch")
        let names = folder.names.filter { $0 != "lock" }
        for _ in 0..<2 {
            do {
                _ = try Journal.open(in: folder.path, now: now)
                Issue.record("it opened", sourceLocation: location)
            } catch {
                #expect(error.kind == kind, "\(error)", sourceLocation: location)
                #expect(error.description.contains(folder.path), sourceLocation: location)
            }
        }
        #expect(folder.database == before, sourceLocation: location)
        #expect(folder.bytes(of: "epoch") == epoch, sourceLocation: location)
        #expect(folder.names.filter { $0 != "lock" } == names, sourceLocation: location)
    }

    @Test func `a log that was not brought in yet is read`() async throws {
        let folder = try await crashed()
        #expect((folder.bytes(of: "baton.sqlite-wal")?.count ?? 0) > 0)
        let ledger = try Journal.open(in: folder.path, now: now).ledger
        #expect(ledger.device.turn?.epoch == 2)
        #expect(ledger.roster[mail]?.listed == true)
    }

    @Test func `a log that ends in the middle of a write ends before that write`() async throws {
        let folder = try await crashed()
        try folder.write(Array((folder.bytes(of: "baton.sqlite-wal") ?? []).dropLast(100)), to: "baton.sqlite-wal")
        let ledger = try Journal.open(in: folder.path, now: now).ledger
        #expect(ledger.device.turn?.epoch == 2)
        #expect(ledger.apps[mail] == nil)
    }

    @Test(arguments: [0, 1, 15, 99, 100, 511, 4096, 12288, 20000])
    func `a file that is cut off is refused and left alone`(length: Int) async throws {
        let folder = try await crashed()
        unlink(folder.path + "/baton.sqlite-wal")
        let whole = folder.bytes(of: "baton.sqlite") ?? []
        try #require(whole.count > length)
        try folder.write(Array(whole.prefix(length)), to: "baton.sqlite")
        expect((1..<16).contains(length) ? .foreign : .damaged, folder)
    }

    @Test func `a file without a sound page is refused and left alone`() async throws {
        let folder = try await crashed()
        var bytes = folder.bytes(of: "baton.sqlite") ?? []
        for index in bytes.indices.dropFirst(100) { bytes[index] = UInt8(truncatingIfNeeded: index &* 167) }
        try folder.write(bytes, to: "baton.sqlite")
        unlink(folder.path + "/baton.sqlite-wal")
        expect(.damaged, folder)
    }

    @Test func `garbage is refused and left alone`() throws {
        let folder = try TemporaryFolder("journal")
        try folder.write(String(repeating: "garbage ", count: 4000), to: "baton.sqlite")
        try folder.write("more of it", to: "baton.sqlite-wal")
        expect(.foreign, folder)
    }

    @Test func `the SQLite file of another program is refused and left alone`() throws {
        let folder = try TemporaryFolder("journal")
        let other = try DatabaseQueue(path: folder.path + "/baton.sqlite")
        try other.write { try $0.execute(sql: "CREATE TABLE recipes (name TEXT)") }
        try other.close()
        expect(.foreign, folder)
    }

    @Test func `a link is refused`() throws {
        let folder = try TemporaryFolder("journal")
        try folder.link("baton.sqlite", to: "/etc/hostname")
        expect(.foreign, folder)
    }

    @Test func `a newer Baton's journal is refused and left alone`() async throws {
        let folder = try await crashed { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('99'); ALTER TABLE device ADD COLUMN more TEXT")
        }
        expect(.foreignVersion, folder)
    }

    @Test(
        arguments: [
            "UPDATE roster SET value = json_set(value, '$.state', 'dreaming')",
            "UPDATE device SET value = json_set(value, '$.turn.epoch', 1)",
            "UPDATE device SET value = json_set(value, '$.epoch', -1)",
            #"UPDATE device SET value = replace(value, '"nextInstance":', '"nextInstance":1844674407370955161')"#,
            "UPDATE device SET value = json_remove(value, '$.mode')",
            "UPDATE apps SET value = '[]'",
            "UPDATE apps SET uid = -1",
            "UPDATE registrations SET instance = -4",
            "UPDATE registrations SET value = json_set(value, '$.pid', 1e300)",
            "UPDATE receipts SET value = '{}'",
            "DELETE FROM device",
            "DELETE FROM meta",
            "DROP TABLE barrier",
            "DROP TABLE grdb_migrations",
        ])
    func `a row that cannot be read is refused and left alone`(sql: String) async throws {
        expect(.damaged, try await crashed { try $0.execute(sql: sql) })
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"), arguments: [0, 0o444] as [mode_t])
    func `a file that may not be read, or not be written, is refused and left alone`(mode: mode_t) async throws {
        let folder = try await crashed()
        chown(folder.path, 65534, 65534)
        chmod(folder.path + "/baton.sqlite", mode)
        let before = folder.database
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            setgid(65534)
            setuid(65534)
            do throws(JournalFault) {
                _ = try Journal.open(in: path, now: 1)
                Issue.record("it opened")
            } catch {
                #expect(error.kind == .inaccessible && "\(error)".contains("baton.sqlite"), "\(error)")
            }
        }
        #expect(folder.database == before)
    }
}
