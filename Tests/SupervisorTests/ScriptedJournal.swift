import LocalAccounts
import SessionMachine
import Vocabulary

@testable import Journal
@testable import Supervisor

/// A journal of a test, which says how it writes; what is read of it is nothing.
protocol ScriptedJournal: LedgerStore {}

extension ScriptedJournal {
    var journalID: String { "0" }
    var deviceID: String { "0" }
    func receipt(of epoch: Epoch) async throws -> ReceiptRecord? { nil }
    func newestReceipts(_ count: Int, bytes: Int) async throws -> Journal.Newest { Journal.Newest() }
    func storedPINAttempts() async throws -> [PINAttempts] { [] }
    func store(_ attempts: PINAttempts) async throws {}
    func change(_ retention: Journal.Retention) {}
    func close() {}
}
