import Vocabulary

extension Machine {
    /// Asks that the provider be told; the answer is waited for until `providerEnds`.
    mutating func askProvider() {
        guard let barrier = ledger.barrier, !barrier.ended, barrier.provider == nil else { return }
        emit(.signOutAtProvider(barrier.epoch))
    }

    mutating func signedOutAtProvider(_ epoch: Epoch, _ report: ProviderReport) {
        if let barrier = ledger.barrier, barrier.epoch == epoch, !barrier.ended {
            return updateBarrier { $0.provider = report }
        }
        // The receipt says `pending`; from now on it says what became of it.
        guard epoch <= ledger.device.epoch, report.outcome != .pending, ledger.device.turn?.epoch != epoch else {
            return
        }
        write(.told(epoch, report))
    }

    /// The wait is over: sign-out never depends on another party's server.
    mutating func expireProvider(_ now: Moment) {
        guard let barrier = ledger.barrier, !barrier.ended, !barrier.waitsForAgent, barrier.provider == nil,
            now.monotonic >= barrier.providerEnds ?? 0
        else { return }
        updateBarrier { $0.provider = ProviderReport(.pending, explanation: [.providerTimedOut]) }
    }
}
