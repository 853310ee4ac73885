package import DeviceMetrics
import Providers
import ReceiptChain
import SessionMachine
import Vocabulary

/// What metrics are made of.
struct FigureNotes {
    var tally = TurnTally()
    /// When this batond found the device quarantined, Unix time in microseconds; nil: it is not.
    var quarantinedSince: Int64?
    /// As it was told last.
    var shown: Shown?
    var changed: @Sendable () -> Void = {}

    /// What changes without a record that says so.
    struct Shown: Equatable {
        var phase: Phase
        var isAgentPresent: Bool
        var isJournalBroken: Bool

        init(_ machine: Machine) {
            phase = machine.phase
            isAgentPresent = machine.isAgentPresent
            isJournalBroken = machine.isJournalBroken
        }
    }
}

extension Supervisor {
    /// - Parameter changed: Called when `figures` would show something else. While a sign-out runs, only its begin is told: its
    ///   end comes soon, and nothing is to go on beside it.
    package func watchFigures(_ changed: @escaping @Sendable () -> Void) { figureNotes.changed = changed }

    package func figures() -> DeviceFigures {
        let machine = written
        let isQuarantined = machine.phase == .quarantined
        let isReadable = journal.receiptKey != nil
        let head = journal.receiptHead
        return DeviceFigures(
            phase: machine.phase,
            quarantinedSince: isQuarantined ? machine.ledger.quarantined?.ended ?? figureNotes.quarantinedSince : nil,
            tally: figureNotes.tally, owing: machine.ledger.apps.values.count { $0.owed != nil },
            isAgentPresent: machine.isAgentPresent,
            provider: provider.look.map { DeviceFigures.Look(isReachable: $0.isReachable, when: $0.when) },
            isJournalFailed: machine.isJournalBroken,
            receipts: isReadable ? DeviceFigures.Receipts(entries: head?.sequence ?? 0, head: head?.text) : nil)
    }

    /// Something that no event has told, such as a look at the provider.
    package func figuresChanged() {
        if machine.phase != .clearing { figureNotes.changed() }
    }

    /// Counts what has just been performed.
    func noteFigures(of events: [HandledEvent]) {
        let records = events.flatMap(\.records)
        for record in records {
            switch record {
            case .began: figureNotes.tally.turnBegan()
            case .ended(let receipt): figureNotes.tally.signedOut(receipt.outcome, took: receipt.took)
            default: break
            }
        }
        let (before, shown) = (figureNotes.shown, FigureNotes.Shown(machine))
        let isOtherPhase = shown.phase != before?.phase
        if isOtherPhase { figureNotes.quarantinedSince = shown.phase == .quarantined ? clock.now().wall : nil }
        figureNotes.shown = shown
        let isNews = shown != before || records.contains(where: \.showsInFigures)
        if isOtherPhase || isNews && shown.phase != .clearing { figureNotes.changed() }
    }
}

extension Record {
    fileprivate var showsInFigures: Bool {
        switch self {
        case .app, .began, .ended, .released, .told: true
        default: false
        }
    }
}
