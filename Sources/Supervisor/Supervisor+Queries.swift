package import BatonContract
import Providers
package import SessionMachine
package import Vocabulary

extension Supervisor {
    package var mode: Mode { written.mode }
    package var publicState: PublicState { written.publicState(at: clock.now()) }
    package var journalID: String { journal.journalID }

    /// What keeps the next worker from signing in to a free device; nil: nothing that is known by now.
    package var missing: String? {
        get async {
            switch written.missing {
            case .startPage: return "the browser does not show the start page yet"
            case nil: break
            }
            guard written.phase == .ready else { return nil }
            if written.isJournalBroken { return "the journal cannot be written, so no worker can sign in" }
            return await provider.problem
        }
    }

    /// Whether this connection's app was in the roster of an epoch: its own receipt may be read whole.
    package func tookPart(_ sender: Sender, in epoch: Epoch) -> Bool {
        written.tookPart(sender, in: epoch)
    }

    /// Every registration, and every app that is in debt without one.
    package func participantList() -> [ParticipantStatus] {
        let machine = written
        let ledger = machine.ledger
        var rows = machine.participants(at: now).map { participant in
            let registration = participant.registration
            let app = registration.app
            return ParticipantStatus(
                app: app.id, uid: app.uid, instance: participant.instance, sender: registration.sender,
                pid: UInt32(clamping: registration.pid), identity: registration.proven ? .proven : .claimed,
                state: Self.state(of: participant, machine), slow: participant.slow, clearThrough: participant.owes,
                owedSince: ledger.apps[app]?.owedSince ?? 0, listed: machine.policy.apps[app.id] != nil)
        }
        let present = Set(ledger.registrations.values.map(\.app))
        for (app, record) in ledger.apps.sorted(by: { $0.key < $1.key }) where !present.contains(app) {
            let entry = ledger.roster[app]
            guard record.owed != nil || entry != nil else { continue }
            let state = entry?.state.shown(pending: machine.hasLeft(app) ? .left : .gone) ?? .owed
            rows.append(
                ParticipantStatus(
                    app: app.id, uid: app.uid, identity: entry?.proven == true ? .proven : .claimed, state: state,
                    clearThrough: record.owed ?? 0, owedSince: record.owedSince ?? 0,
                    listed: machine.policy.apps[app.id] != nil))
        }
        return rows
    }

    private static func state(of participant: Machine.RegistrationStatus, _ machine: Machine) -> ParticipantState {
        if !participant.registration.connected { return .gone }
        if machine.ledger.barrier != nil, let entry = participant.entry {
            return entry.state.shown(pending: participant.owes == 0 ? .cleared : .clearing)
        }
        if participant.owes != 0 { return .owed }
        return machine.phase == .inUse ? .inUse : .clean
    }
}

extension RosterEntry.State {
    /// - Parameter pending: What is said of an app that has not been settled.
    fileprivate func shown(pending: ParticipantState) -> ParticipantState {
        switch self {
        case .pending: pending
        case .containing: .containing
        case .cleared: .cleared
        case .contained: .contained
        case .owed: .owed
        case .unproven: .unproven
        }
    }
}
