import DeviceMetrics
import Vocabulary

extension DeviceFigures {
    /// A device of which all is known that can be.
    static var example: DeviceFigures {
        var tally = TurnTally()
        for (outcome, took) in [
            (Outcome.cleared, 46_000), (.cleared, 100_000), (.owed, 312_000), (.quarantined, 25_000_001),
        ] {
            tally.turnBegan()
            tally.signedOut(outcome, took: UInt64(took))
        }
        tally.turnBegan()
        return DeviceFigures(
            phase: .quarantined, quarantinedSince: 1_795_783_239_100_000, tally: tally, owing: 2,
            isAgentPresent: true, provider: Look(isReachable: false, when: 1_795_783_200_000_000),
            isJournalFailed: false,
            receipts: Receipts(entries: 7, head: "7:" + String(repeating: "9c", count: 32)))
    }

    /// A device that has just started, with nothing that could be looked at.
    static var unknown: DeviceFigures {
        DeviceFigures(
            phase: .ready, quarantinedSince: nil, tally: TurnTally(), owing: 0, isAgentPresent: false, provider: nil,
            isJournalFailed: true, receipts: nil)
    }
}

extension ProcessFigures {
    static let example = ProcessFigures(version: "1.2.3", started: 1_795_783_000_000_000, journalSize: 81_920)
}
