import Journal
import Vocabulary

@testable import SessionMachine

let ana = TurnAccount(id: "ana", attributes: ["name": "Ana"])
let mail = AppKey(uid: 1000, id: "org.example.mail")
let notes = AppKey(uid: 1000, id: "org.example.notes")
let now: Int64 = 1_790_000_000

extension Journal.Opened {
    /// What the machine writes when somebody takes the device.
    func begin(_ epoch: Epoch, wall: Int64 = 1) async throws(JournalFault) {
        var device = ledger.device
        device.epoch = epoch
        device.turn = Ledger.TurnRecord(epoch: epoch, holder: ana, when: wall)
        try await journal.write([.began(epoch, ana, wall: wall), .device(device)])
    }

    func clear(_ epoch: Epoch) async throws(JournalFault) {
        try await journal.write([.clearing(epoch, .user, wall: 2)])
    }

    func end(_ epoch: Epoch, _ outcome: Outcome = .cleared, wall: Int64 = 3) async throws(JournalFault) {
        var device = ledger.device
        device.epoch = epoch
        device.turn = nil
        device.previous = Ledger.TurnRecord(epoch: epoch, holder: ana, when: wall)
        try await journal.write([.ended(receipt(epoch, outcome, wall: wall)), .device(device)])
    }

    func turn(_ epoch: Epoch, wall: Int64 = 3) async throws(JournalFault) {
        try await begin(epoch)
        try await clear(epoch)
        try await end(epoch, wall: wall)
    }
}

func receipt(_ epoch: Epoch, _ outcome: Outcome = .cleared, wall: Int64 = 3) -> ReceiptRecord {
    ReceiptRecord(
        epoch: epoch, holder: ana, reason: .user, started: 2, ended: wall, took: 1, outcome: outcome,
        participants: [], debts: [], browser: .none, browserExplanation: "", shared: [], provider: nil, rejections: [],
        restarts: 0,
        explanation: [], release: nil)
}

/// The kind of fault that the body ends with; nil when it does not.
func fault(_ body: () async throws -> Void) async throws -> JournalFault.Kind? {
    do {
        try await body()
        return nil
    } catch let fault as JournalFault {
        return fault.kind
    }
}
