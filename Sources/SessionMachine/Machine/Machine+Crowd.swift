import Vocabulary

/// Apps that come and go by the hundred are kept together, so that they leave room for the others of their user.
///
/// Nothing of a worker's can get lost by that: while the row of those that went without a word is owed, every app of the
/// user that the journal does not know by name must clear before it gets anything.
extension Machine {
    /// Ids that no app can have.
    private static let gone = "*gone"
    private static let left = "*left"

    /// What all unlisted apps of a user owe that are not kept by name.
    func owedTogether(_ uid: UInt32) -> Epoch? { ledger.apps[AppKey(uid: uid, id: Self.gone)]?.owed }

    /// So many of a user's apps that are not there are kept by name in the roster, and so many debts.
    private var mostNamed: Int { (min(policy.participantsPerUser, policy.debtsPerUser) + 1) / 2 }

    /// To be called when an instance went: where a user's apps do so by the hundred, this one is not kept by name any more.
    mutating func gather(_ app: AppKey) {
        guard isGone(app), let record = ledger.apps[app], !record.debtNeedsProof else { return }
        if phase == .inUse {
            gatherEntry(app, record)
        } else if ledger.barrier == nil, record.owed != nil {
            gatherDebts()
        }
    }

    private mutating func gatherEntry(_ app: AppKey, _ record: AppRecord) {
        guard let turn = ledger.device.turn, let entry = ledger.roster[app], !entry.listed, !entry.proven,
            ledger.roster.keys.count(where: { $0.uid == app.uid && isGone($0) }) > mostNamed
        else { return }
        // An app that said good-bye holds nothing; of all others it is not known.
        let isClean = record.isClean(through: turn.epoch)
        let row = AppKey(uid: app.uid, id: isClean ? Self.left : Self.gone)
        if ledger.roster[row] == nil { write(.entry(row, RosterEntry(listed: false, proven: false))) }
        updateEntry(row) { $0.apps = min($0.apps ?? 0, .max - 1) + 1 }
        if isClean { updateApp(row) { $0.clearedThrough = turn.epoch } }
        write(.entry(app, nil))
        forget(app, record)
    }

    /// To be called when no turn is open: of a user's many debts the newest become one.
    mutating func gatherDebts() {
        let debts = ledger.apps.filter { isGone($0.key) && $0.value.owed != nil && !$0.value.debtNeedsProof }
        for (_, mine) in Dictionary(grouping: debts, by: \.key.uid).sorted(by: { $0.key < $1.key }) {
            let newest = mine.sorted { ($1.value.owedSince ?? 0, $0.key) < ($0.value.owedSince ?? 0, $1.key) }
            for (app, record) in newest.prefix(max(0, mine.count - mostNamed)) { forget(app, record) }
        }
    }

    /// Its name, not what it owes.
    private mutating func forget(_ app: AppKey, _ record: AppRecord) {
        if let owed = record.owed {
            updateApp(AppKey(uid: app.uid, id: Self.gone)) {
                $0.owed = max($0.owed ?? 0, owed)
                $0.owedSince = min($0.owedSince ?? .greatest, record.owedSince ?? owed)
            }
        }
        write(.app(app, nil))
    }

    /// Unlisted, and no process of it is known.
    private func isGone(_ app: AppKey) -> Bool {
        ledger.instancesByApp[app] == nil && !isListed(app) && !Self.isTogether(app)
    }

    /// The row of those of a user that are not kept by name.
    static func gone(_ uid: UInt32) -> AppKey { AppKey(uid: uid, id: gone) }

    static func isTogether(_ app: AppKey) -> Bool { app.id == gone || app.id == left }
}
