import SessionMachine
import Vocabulary

/// What is true after an older copy of the journal was put back: epochs have passed that it knows nothing of.
///
/// The numbers go on from the epoch that is known to have begun, so that none is given out twice (S4). It is not known who
/// held the device in between, how those turns ended, or who took part, so:
/// - the turn and the barrier of the copy are over. A later epoch can only have begun after they ended, and going on
///   with them would hand the device to a worker who has left. There is no previous account either.
/// - every app that the copy had registered or in its roster owes everything through the known epoch; an app that
///   proved itself must prove itself to pay. Apps that the copy merely knows, or does not know, must clear when they
///   register, since the last ended epoch is above theirs and the journal counts as born there.
/// - registrations stay, so that an app that is still on the bus is not taken for one that never was, but they must
///   clear. Instance numbers go on far above those that the lost part can have given out.
/// - a new journal id tells the apps that what they remember is not what this journal remembers.
/// - where the known epoch has not ended, it is open, with an unknown holder (`LostTurn`).
enum OlderCopy {
    /// - Parameter note: What this boot has seen, if it has.
    static func records(
        for ledger: Ledger, through mark: EpochMark, _ note: BootNote?, wall: Int64, why: Explanation
    ) -> [Record] {
        let epoch = mark.epoch
        var records: [Record] = []
        var debtors: [AppKey: Bool] = [:]
        for registration in ledger.registrations.values {
            debtors[registration.app, default: false] = debtors[registration.app] == true || registration.proven
        }
        for (app, entry) in ledger.roster {
            debtors[app, default: false] = debtors[app] == true || entry.proven
        }
        let since = ledger.device.turn?.epoch ?? min(epoch, ledger.device.epoch.next)
        for (app, proven) in debtors.sorted(by: { $0.key < $1.key }) {
            var record = ledger.apps[app] ?? AppRecord()
            record.owed = max(record.owed ?? 0, epoch)
            record.owedSince = record.owedSince ?? since
            record.debtNeedsProof = record.debtNeedsProof || proven
            records.append(.app(app, record))
        }
        for (instance, old) in ledger.registrations.sorted(by: { $0.key < $1.key }) {
            var registration = old
            registration.mustClear = epoch
            records.append(.registration(instance, registration))
        }
        records.append(.rosterCleared)
        records.append(.barrier(nil))
        if let receipt = ledger.quarantined {
            let release = Barrier.Release(when: wall, by: .administrator, explanation: [.begunSince(epoch)])
            records.append(.released(receipt.epoch, release))
        }
        var device = ledger.device
        device.epoch = epoch
        device.born = epoch
        device.turn = nil
        device.previous = nil
        device.nextInstance = LostTurn.above(max(device.nextInstance, note?.nextInstance ?? 0))
        let begun = LostTurn.records(of: mark, wall: wall, why: why, in: &device)
        return begun + records + [.device(device)]
    }
}
