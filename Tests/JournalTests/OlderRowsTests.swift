import FolderTesting
import GRDB
import Journal
import MachineTesting
import Testing
import Vocabulary

@testable import SessionMachine

/// Rows of versions that wrote texts where there are values now.
@Suite(.timeLimit(.minutes(1))) struct OlderRowsTests {
    /// A turn that has ended, and one that is being signed out; then both as an older version would have written them.
    private func rewritten(_ statements: [String]) async throws -> Journal.Opened {
        let folder = try TemporaryFolder("journal")
        try folder.write("0", to: "epoch")
        let opened = try Journal.open(in: folder.path, now: now)
        try await opened.turn(1)
        try await opened.begin(2)
        try await opened.clear(2)
        let moment = Moment(monotonic: 1, boottime: 1, wall: 1)
        try await opened.journal.write([
            .entry(mail, RosterEntry(listed: true, proven: true)),
            .barrier(Barrier(epoch: 2, reason: .user, at: moment, policy: .ordinary)),
        ])
        opened.journal.close()
        let database = try DatabaseQueue(path: folder.path + "/baton.sqlite")
        try await database.write { db in
            for statement in statements { try db.execute(sql: "UPDATE \(statement)") }
        }
        try database.close()
        return try Journal.open(in: folder.path, now: now)
    }

    @Test func `texts are read and said as they were written`() async throws {
        let opened = try await rewritten([
            "device SET value = json_set(value, '$.turn.lost', 'the journal was lost')",
            "roster SET value = json_set(value, '$.explanation', 'it did not acknowledge in time')",
            "barrier SET value = json_set(value, '$.lost', 'lost', '$.doomed', 'restarted 3 times')",
            """
            receipts SET value = json_set(
                value, '$.explanation', 'not contained: mail; not cleared: clipboard',
                '$.provider', json('{"outcome":"pending","explanation":"no answer"}'),
                '$.tokens', json('{"epoch":1,"rows":[],"explanation":"not counted"}'),
                '$.release', json('{"when":9,"by":"retry","explanation":"every missing check has succeeded"}'))
            """,
        ])
        let ledger = opened.ledger
        #expect(ledger.device.turn?.lost?.text == "the journal was lost")
        #expect(ledger.roster[mail]?.explanation.text == "it did not acknowledge in time")
        #expect(ledger.barrier?.lost?.text == "lost" && ledger.barrier?.doomed?.text == "restarted 3 times")
        let receipt = try #require(try await opened.journal.receipt(1))
        #expect(receipt.explanation.text == "not contained: mail; not cleared: clipboard")
        #expect(receipt.provider == ProviderReport(.pending, said: "no answer"))
        #expect(receipt.tokens?.explanation.text == "not counted")
        #expect(receipt.release?.explanation.text == "every missing check has succeeded")
    }

    @Test func `the words of refused calls are read, also one that is not known`() async throws {
        let words = ["StaleEpoch", "TooManyCalls", "OfAnotherVersion"]
        let rows = words.map { #"{"sender":":1.2","error":"\#($0)","count":2}"# }.joined(separator: ",")
        let opened = try await rewritten(["barrier SET value = json_set(value, '$.rejections', json('[\(rows)]'))"])
        let causes = opened.ledger.barrier?.rejections.map(\.error)
        #expect(causes == [.refused(.staleEpoch), .misuse(.calls), .unknown("OfAnotherVersion")])
        #expect(causes?.map(\.rawValue) == words)
    }
}
