import BatonContract
package import DBus
package import Journal
package import SessionMachine
package import Vocabulary

/// What apps hold of a turn, and show when they come back.
extension Supervisor {
    private var seal: TurnSeal? { TurnSeal(key: journal.turnKey, bootID: written.ledger.device.bootID) }

    /// What apps are told of the worker who holds the device, with batond's word that their turn has begun; empty: no worker.
    package func account(of holder: TurnAccount?, in epoch: Epoch) -> VariantDictionary {
        guard let holder else { return [:] }
        var told = HolderAccount(Account(holder))
        if let turn = written.ledger.device.turn, turn.epoch == epoch { told.turn = seal?.text(of: turn) }
        return told.dictionary
    }

    /// The turn of which that is batond's word, if the journal knows nothing of it; nil: it does, or this is no such word.
    package func forgottenTurn(_ text: String) -> EpochMark? {
        guard let mark = seal?.mark(of: text), isForgotten(mark) else { return nil }
        return mark
    }

    /// A turn with that number has begun, and none with that or a higher one is known.
    package func isForgotten(_ mark: EpochMark) -> Bool {
        !(journal is UnreadableJournal) && mark.epoch > machine.ledger.device.epoch
    }

    /// Performs nothing more until the next `start`, and lets those go who wait for what this state will not do.
    package func pause() async {
        await endSignIns()
        await halt()
        for epoch in Set(tokenWaits.values.map(\.epoch)) { endTokenWaits(of: epoch) }
        let waiting = answers.values
        (answers, signInRequests) = ([:], [:])
        for answer in waiting { answer(.refused(.failed)) }
    }
}
