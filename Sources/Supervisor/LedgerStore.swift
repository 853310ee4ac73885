package import Journal
package import LocalAccounts
package import Providers
package import ReceiptChain
package import SessionMachine
package import Vocabulary

/// What the supervisor asks of the journal.
package protocol LedgerStore: PINAttemptsStore {
    var journalID: String { get }
    var deviceID: String { get }
    /// The journal whose open turn this one goes on with, to end it: what the agent holds of that is this one's. Nil: none.
    var predecessor: String? { get }
    /// Of `TurnSeal`; empty: there is none.
    var turnKey: String { get }
    /// Nanoseconds spent in writing so far.
    var timeSpent: UInt64 { get }
    /// Makes the records durable, all or none, before it returns.
    func write(_ records: [Record]) async throws
    /// The same for who must not wait for a slow disk; `then` is called on any thread, maybe before this returns.
    func write(_ records: [Record], then: @escaping @Sendable (Result<Void, any Error>) -> Void)
    /// Writes the whole state after writes that failed.
    ///
    /// - Parameter missed: The records of those writes, for what stands once for each epoch.
    func save(_ ledger: Ledger, missed: [Record]) async throws
    func receipt(of epoch: Epoch) async throws -> ReceiptRecord?
    /// - Parameter bytes: At about which length in the journal no more of them are read.
    func newestReceipts(_ count: Int, bytes: Int) async throws -> Journal.Newest
    /// What receipts are signed with; nil: there is no journal that could be written.
    var receiptKey: ReceiptPublicKey? { get }
    /// The newest entry of the chain of receipts that is on the disk; nil as long as the chain is empty.
    var receiptHead: ChainHead? { get }
    /// Entries of the chain of receipts, as many as there is room for.
    func receiptChain(_ start: Journal.ChainStart, most: Int, bytes: Int) async throws -> Journal.ChainPage
    /// Takes new settings; they hold from the next receipt.
    func change(_ retention: Journal.Retention)
    /// Ends the use of the state folder.
    func close()
}

extension LedgerStore {
    package var timeSpent: UInt64 { 0 }
    package var predecessor: String? { nil }
    package var turnKey: String { "" }
    package var receiptKey: ReceiptPublicKey? { nil }
    package var receiptHead: ChainHead? { nil }
    package func receiptChain(_ start: Journal.ChainStart, most: Int, bytes: Int) async throws -> Journal.ChainPage {
        Journal.ChainPage()
    }

    package func write(_ records: [Record], then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        Task.immediate {
            do {
                try await write(records)
                then(.success(()))
            } catch {
                then(.failure(error))
            }
        }
    }
}

extension Journal: LedgerStore {
    package func receipt(of epoch: Epoch) async throws -> ReceiptRecord? { try await receipt(epoch) }

    package func newestReceipts(_ count: Int, bytes: Int) async throws -> Journal.Newest {
        try await receipts(newest: count, bytes: bytes)
    }

    package func receiptChain(_ start: Journal.ChainStart, most: Int, bytes: Int) async throws -> Journal.ChainPage {
        try await chain(start, most: most, bytes: bytes)
    }

    package func storedPINAttempts() async throws -> [PINAttempts] {
        try await pinAttempts().map {
            PINAttempts(
                username: $0.username, failures: $0.failures, lockedUntil: $0.lockedUntil, lastFailure: $0.lastFailure)
        }
    }

    package func store(_ attempts: PINAttempts) async throws {
        guard !attempts.isClean else { return try await clearPINAttempts(username: attempts.username) }
        try await savePINAttempts(
            username: attempts.username, failures: attempts.failures, lastFailure: attempts.lastFailure,
            lockedUntil: attempts.lockedUntil)
    }
}

/// Stands in for a journal that cannot be read or written: nothing is written, so nothing is lost.
package struct UnreadableJournal: LedgerStore {
    /// What is wrong with it; each write is refused with that.
    package let fault: JournalFault
    package let journalID = ""
    /// Known all the same: it lies beside the journal.
    package let deviceID: String
    /// The journal itself, as this boot has seen it.
    package var predecessor: String?

    package init(fault: JournalFault, deviceID: String, predecessor: String? = nil) {
        self.fault = fault
        self.deviceID = deviceID
        self.predecessor = predecessor
    }

    package func write(_ records: [Record]) async throws { throw fault }
    package func save(_ ledger: Ledger, missed: [Record]) async throws { throw fault }
    /// There is no receipt to show, which is no reason for `status` to fail.
    package func receipt(of epoch: Epoch) async throws -> ReceiptRecord? { nil }
    package func newestReceipts(_ count: Int, bytes: Int) async throws -> Journal.Newest { Journal.Newest() }
    /// An empty chain would look like one that was cut off.
    package func receiptChain(_ start: Journal.ChainStart, most: Int, bytes: Int) async throws -> Journal.ChainPage {
        throw fault
    }
    package func storedPINAttempts() async throws -> [PINAttempts] { [] }
    package func store(_ attempts: PINAttempts) async throws { throw fault }
    package func change(_ retention: Journal.Retention) {}
    package func close() {}
}
