package import Vocabulary

/// All that metrics show of the session, at one moment.
package struct DeviceFigures: Hashable, Sendable {
    /// What a look at the identity provider came to.
    package struct Look: Hashable, Sendable {
        package var isReachable: Bool
        /// Unix time in microseconds.
        package var when: Int64

        package init(isReachable: Bool, when: Int64) {
            self.isReachable = isReachable
            self.when = when
        }
    }

    /// The chain of receipts.
    package struct Receipts: Hashable, Sendable {
        /// The number of the newest entry; 0: there is none.
        package var entries: UInt64
        /// Number and hash of the newest entry; nil: there is none.
        package var head: String?

        package init(entries: UInt64, head: String?) {
            self.entries = entries
            self.head = head
        }
    }

    package var phase: Phase
    /// Unix time in microseconds; nil: it is not quarantined.
    package var quarantinedSince: Int64?
    package var tally: TurnTally
    package var owing: Int
    package var isAgentPresent: Bool
    /// Nil: it was not asked yet, or there is none.
    package var provider: Look?
    package var isJournalFailed: Bool
    /// Nil: the journal cannot be read.
    package var receipts: Receipts?

    package init(
        phase: Phase, quarantinedSince: Int64?, tally: TurnTally, owing: Int, isAgentPresent: Bool, provider: Look?,
        isJournalFailed: Bool, receipts: Receipts?
    ) {
        self.phase = phase
        self.quarantinedSince = quarantinedSince
        self.tally = tally
        self.owing = owing
        self.isAgentPresent = isAgentPresent
        self.provider = provider
        self.isJournalFailed = isJournalFailed
        self.receipts = receipts
    }

    /// - Parameter process: What the program knows beside the session.
    package func text(_ process: ProcessFigures) -> String {
        var text = MetricsText()
        text.add(.build, by: "version", [(process.version, "1")])
        text.add(.started, MetricsText.time(process.started))
        text.add(.phase, by: "phase", Phase.allCases.map { ($0.rawValue, MetricsText.flag($0 == phase)) })
        if let quarantinedSince { text.add(.quarantined, MetricsText.time(quarantinedSince)) }
        text.add(.turns, "\(tally.turns)")
        // Each from the start on: of one that begins with 1 Prometheus sees no increase.
        text.add(.signOuts, by: "outcome", Outcome.allCases.map { ($0.rawValue, "\(tally[$0])") })
        text.add(.barrier, tally.barrier)
        text.add(.owing, "\(owing)")
        text.add(.agent, MetricsText.flag(isAgentPresent))
        if let provider {
            text.add(.provider, MetricsText.flag(provider.isReachable))
            text.add(.providerChecked, MetricsText.time(provider.when))
        }
        if let size = process.journalSize { text.add(.journal, "\(size)") }
        text.add(.journalFailed, MetricsText.flag(isJournalFailed))
        if let receipts {
            text.add(.receipts, "\(receipts.entries)")
            if let head = receipts.head { text.add(.receiptHead, by: "head", [(head, "1")]) }
        }
        return text.text
    }
}
