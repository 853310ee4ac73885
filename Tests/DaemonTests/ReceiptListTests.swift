import Baton
import DBus
import TerminalTesting
import Testing

@testable import Journal
@testable import SessionMachine

@Suite("A list of many large receipts", .timeLimit(.minutes(4)))
struct ReceiptListTests {
    private static let turns = 150
    private static let text = String(repeating: "x", count: 4096)

    @Test func `has as many as one answer can carry, the newest first, and says how many it leaves out`() async throws {
        let terminal = try Terminal(settings: "agent: {required: false, start: false}\n" + Terminal.quick)
        try await Self.fill("\(terminal.folder)/state/baton")
        let daemon = try await terminal.startDaemon(agent: false)
        let peer = try await Peer(terminal)
        let newest = try await peer.epoch()
        let before = daemon.peakMemory
        let rows = try await peer.call(Device1.listReceipts, 10_000)
        let epochs = rows.compactMap { $0["epoch"].flatMap(Epoch.init) }
        #expect(epochs == (0..<rows.count).map { newest.advanced(by: -$0) })
        #expect(rows.count > 5 && rows.count < Self.turns, "\(rows.count)")
        #expect(rows.last?["left-out"]?.uint32 == UInt32(Self.turns - rows.count))
        #expect(rows.dropLast().allSatisfy { $0["left-out"] == nil })
        // All of them have 24 MiB of text alone.
        #expect(daemon.peakMemory - before < 32 << 10, "grew by \(daemon.peakMemory - before) KiB")

        // Who asks for fewer than that gets them, and nothing is left out.
        let few = try await peer.call(Device1.listReceipts, 3)
        #expect(
            few.compactMap { $0["epoch"].flatMap(Epoch.init) } == [newest, newest.previous, newest.advanced(by: -2)])
        #expect(few.allSatisfy { $0["left-out"] == nil })
        // The others are there for who asks for them.
        let oldest = newest.advanced(by: 1 - Self.turns)
        #expect(try await peer.receipt(oldest)?.participants.first?.details == Self.text)
        let said = try await terminal.batonctl("receipts", "--newest", "1000")
        #expect(said.status == 0)
        #expect(said.output.contains("\(Self.turns - rows.count) older receipts"), "\(said.output.suffix(300))")
        withExtendedLifetime(daemon) {}
    }

    /// Turns of forty apps that all had much to say.
    private static func fill(_ folder: String) async throws {
        let opened = try Journal.open(in: folder, now: 1_790_000_000)
        let holder = TurnAccount(id: "local#ana", attributes: ["username": "ana"])
        var device = opened.ledger.device
        for _ in 0..<turns {
            device.epoch = device.epoch.next
            device.turn = Ledger.TurnRecord(epoch: device.epoch, holder: holder, when: 1)
            try await opened.journal.write([.began(device.epoch, holder, wall: 1), .device(device)])
            try await opened.journal.write([.clearing(device.epoch, .user, wall: 2)])
            device.turn = nil
            try await opened.journal.write([.ended(receipt(device.epoch, holder)), .device(device)])
        }
        opened.journal.close()
    }

    private static func receipt(_ epoch: Epoch, _ holder: TurnAccount) -> ReceiptRecord {
        let participants = (0..<40).map { number in
            ReceiptRecord.Participant(
                app: AppKey(uid: 1000, id: "org.example.App\(number)"), proven: false, outcome: .cleared, took: 1,
                proof: nil, details: text, explanation: [])
        }
        return ReceiptRecord(
            epoch: epoch, holder: holder, reason: .user, started: 2, ended: 3, took: 1, outcome: .cleared,
            participants: participants, debts: [], browser: .none, browserExplanation: "", shared: [], provider: nil,
            rejections: [], restarts: 0, explanation: [], release: nil)
    }
}
