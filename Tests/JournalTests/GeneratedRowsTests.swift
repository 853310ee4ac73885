import GRDB
import GeneratedInput
import Supervisor
import Testing

@testable import Supervision

@Suite("Rows of a journal that nobody wrote", .timeLimit(.minutes(3)))
struct GeneratedRowsTests {
    private static let tables = ["device", "apps", "registrations", "roster", "barrier", "receipts", "meta"]

    /// Whatever stands in a row: the journal opens or says why not, and what opens can be written on.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `open, or are refused and left alone`(_ seed: UInt64)
        async throws
    {
        var input = GeneratedInput(seed: seed)
        let source = TemporaryFolder()
        var opened: Journal? = try Journal.open(in: source.path, now: now).journal
        var life = Life(seed: seed, ledger: Ledger(epoch: 0))
        for _ in 0..<60 { try? await opened?.write(life.transaction()) }
        opened?.close()
        opened = nil
        let files = source.database
        var refused = 0
        for _ in 0..<60 {
            let folder = TemporaryFolder()
            folder.put(files)
            for name in ["epoch", "device-id"] { folder.write(name, source.read(name) ?? []) }
            try spoil(folder, &input)
            let before = folder.database
            do throws(JournalFault) {
                let again = try Journal.open(in: folder.path, now: now)
                again.journal.close()
            } catch {
                refused += 1
                #expect(error.description.contains(folder.path))
                #expect(folder.database == before)
            }
        }
        #expect(refused > 0)
    }

    /// Puts other bytes into one value of one row.
    private func spoil(_ folder: TemporaryFolder, _ input: inout GeneratedInput) throws {
        let database = try DatabaseQueue(path: folder.path + "/baton.sqlite")
        defer { try? database.close() }
        let table = input.pick(Self.tables) ?? "device"
        try database.write { db in
            guard try db.tableExists(table),
                let value = try String.fetchOne(db, sql: "SELECT value FROM \(table) ORDER BY random() LIMIT 1")
            else { return }
            // SQLite's own checks refuse some of it, which is fine as well.
            try? db.execute(
                sql: "UPDATE \(table) SET value = ? WHERE value = ?", arguments: [input.changed(value), value])
        }
    }
}
