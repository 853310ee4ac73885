package import BatonContract
package import SessionMachine
import Vocabulary

extension Account {
    package init(_ holder: TurnAccount) {
        func text(_ key: String) -> String { holder.attributes[key] ?? "" }
        self.init(
            id: holder.id, username: text("username"), name: text("name"), homeAccountID: text("home-account-id"),
            tenant: text("tenant"), environment: text("environment"), locale: text("locale"))
    }
}

extension Receipt {
    /// The journal's record in the words of the contract.
    ///
    /// - Parameter isForEverybody: Leaves out whose turn it was and what apps said about it.
    package init(_ record: ReceiptRecord, journalID: String, isForEverybody: Bool = false) {
        self.init(
            epoch: record.epoch, journalID: journalID, account: isForEverybody ? nil : Account(record.holder),
            reason: record.reason, started: record.started,
            ended: record.ended, milliseconds: record.took.milliseconds,
            outcome: record.outcome,
            participants: record.participants.map { row in
                Participant(
                    app: row.app.id, uid: row.app.uid, identity: row.proven ? .proven : .claimed,
                    outcome: row.outcome, milliseconds: row.took.milliseconds, proof: row.proof,
                    details: isForEverybody ? "" : row.details, explanation: row.explanation.text)
            },
            debts: record.debts.map { Debt(app: $0.app.id, uid: $0.app.uid, since: $0.since) },
            browser: record.browser, browserExplanation: record.browserExplanation,
            shared: record.shared.map {
                Check(holder: $0.name, outcome: $0.outcome, explanation: $0.explanation)
            },
            provider: record.provider?.outcome ?? .none,
            providerExplanation: record.provider?.explanation.text ?? "",
            rejected: record.rejections.map {
                Rejection(app: $0.app?.id ?? "", sender: $0.sender, error: $0.error, count: $0.count)
            },
            restarts: record.restarts, explanation: record.explanation.text,
            release: record.release.map { Release(when: $0.when, by: $0.by, explanation: $0.explanation.text) },
            browserChecks: (record.browserChecks ?? []).map {
                Check(holder: $0.name, outcome: $0.outcome, explanation: $0.explanation)
            },
            tokens: (record.tokens?.rows ?? []).map {
                TokenCount(app: $0.app?.id ?? "", uid: $0.app?.uid ?? 0, count: $0.count)
            },
            tokensExplanation: record.tokens?.explanation.text ?? Self.uncounted(record))
    }

    /// Without a provider there were no tokens to count.
    private static func uncounted(_ record: ReceiptRecord) -> String {
        guard let provider = record.provider?.outcome, provider != .none else { return "" }
        return "the version of batond that wrote this receipt did not count them"
    }
}

extension UInt64 {
    /// Microseconds in milliseconds, rounded up so that nothing took no time.
    var milliseconds: UInt32 { UInt32(clamping: self / 1000 + (self % 1000 == 0 ? 0 : 1)) }
}
