import FolderTesting
import GRDB
import GeneratedInput
import Journal
import MachineTesting
import Testing
import Vocabulary

@testable import SessionMachine

@Suite("Rows of a journal that nobody wrote", .timeLimit(.minutes(3)))
struct GeneratedRowsTests {
    /// Tables with their values as JSON and their columns of numbers.
    private static let tables: [(name: String, texts: [String], numbers: [String])] = [
        ("device", ["value"], ["id"]), ("apps", ["value", "app"], ["uid"]),
        ("registrations", ["value"], ["instance"]), ("roster", ["value", "app"], ["uid"]),
        ("barrier", ["value"], ["id"]), ("receipts", ["value"], ["epoch", "ended"]),
        ("epochs", ["holder", "reason"], ["epoch", "began", "clearing"]), ("meta", ["value", "key"], []),
        ("pin_attempts", ["username"], ["failures", "last_failure", "locked_until"]),
        (
            "receipt_chain", ["journal", "kind", "receipt", "previous", "key", "signature", "replaced"],
            ["sequence", "epoch", "time"]
        ),
    ]

    /// Whatever stands in a row: the journal opens or says why not; on what opens a device goes on, what it writes is
    /// written or refused, and can be opened again.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func `open and can be gone on with, or are refused and left alone`(
        _ seed: UInt64
    ) async throws {
        var input = GeneratedInput(seed: seed)
        let (files, others) = try await Self.source(seed)
        var (refused, goneOn) = (0, 0)
        for _ in 0..<60 {
            let folder = try TemporaryFolder("journal")
            try folder.put(files)
            try folder.put(others)
            try spoil(folder, &input)
            let before = folder.database
            let opened: Journal.Opened
            do throws(JournalFault) {
                opened = try Journal.open(in: folder.path, now: now)
            } catch {
                refused += 1
                #expect(error.description.contains(folder.path))
                #expect(folder.database == before)
                continue
            }
            if try await goOn(opened) { goneOn += 1 }
            opened.journal.close()
            let again = try Journal.open(in: folder.path, now: now)
            #expect(again.ledger.device.epoch >= opened.ledger.device.epoch)
            again.journal.close()
        }
        #expect(refused > 0 && goneOn > 0)
    }

    /// The files of a journal with something in each of its tables.
    private static func source(_ seed: UInt64) async throws -> ([String: [UInt8]], [String: [UInt8]]) {
        let source = try TemporaryFolder("journal")
        let journal = try Journal.open(in: source.path, now: now).journal
        var life = GeneratedLife(seed: seed, ledger: Ledger(epoch: 0))
        for _ in 0..<60 { try? await journal.write(life.transaction()) }
        for name in ["ana", "bo"] {
            try await journal.savePINAttempts(username: name, failures: 3, lastFailure: now, lockedUntil: now + 60)
        }
        journal.close()
        var others: [String: [UInt8]] = [:]
        for name in ["epoch", "device-id"] { others[name] = source.bytes(of: name) }
        return (source.database, others)
    }

    /// Puts something else into one column of one row.
    private func spoil(_ folder: TemporaryFolder, _ input: inout GeneratedInput) throws {
        let database = try DatabaseQueue(path: folder.path + "/baton.sqlite")
        defer { try? database.close() }
        guard let table = input.pick(Self.tables), let column = input.pick(table.texts + table.numbers) else { return }
        try database.write { db in
            // In the order of their keys; SQLite's own dice would give what no seed brings back.
            let rows = try Row.fetchAll(db, sql: "SELECT \(column) FROM \(table.name)")
            guard let row = input.pick(rows) else { return }
            let old: DatabaseValue = row[0]
            let other: DatabaseValue =
                table.texts.contains(column)
                ? input.changed(String.fromDatabaseValue(old) ?? "").databaseValue
                : (input.pick([0, -1, 1, .min, .max, Int64(truncatingIfNeeded: input.next())]) ?? 0).databaseValue
            // SQLite's own checks refuse some of it, which is fine as well.
            try? db.execute(
                sql: "UPDATE \(table.name) SET \(column) = ? WHERE \(column) IS ?", arguments: [other, old])
        }
    }

    /// A start on this journal, and what a terminal then goes through.
    ///
    /// - Returns: Whether all of it could be written; what contradicts the rows is refused.
    private func goOn(_ opened: Journal.Opened) async throws -> Bool {
        let (journal, ledger) = (opened.journal, opened.ledger)
        // Rows that only somebody who asks gets to see are values or a fault.
        _ = try? await journal.receipts(newest: .max)
        _ = try? await journal.receipt(ledger.device.epoch)
        _ = try? await journal.pinAttempts()
        _ = try? await journal.chain(.after(0), most: .max, bytes: .max)
        var policy = Policy.ordinary
        policy.agentRequired = false
        var machine = Machine(ledger: ledger, policy: policy)
        let surroundings = StartFindings(
            busID: ledger.device.busID, bootID: ledger.device.bootID,
            alive: Set(ledger.registrations.values.map(\.sender)))
        let registering = Registering(sender: ":1.99", app: mail, pid: 7)
        let story: [Event.Kind] = [
            .started(surroundings), .agentArrived(1), .agentRegistered(1), .register(1, registering),
            .signOut(2, epoch: nil, .user), .tick,
            .agentLost(1), .endQuarantine(3), .signIn(4, ":1.99"), .signInSucceeded(1, ana),
            .signOut(5, epoch: nil, .user), .tick, .disconnected(":1.99"), .tick,
        ]
        for (step, kind) in story.enumerated() {
            // Each event a minute after the other, so that every deadline has passed.
            let time = UInt64(step) * 60_000_000
            let moment = Moment(monotonic: time, boottime: time, wall: now)
            for case .journal(let records) in machine.handle(Event(kind, at: moment)) {
                do throws(JournalFault) {
                    try await journal.write(records)
                } catch {
                    #expect(error.kind == .refused, "\(error)")
                    return false
                }
            }
        }
        return true
    }
}
