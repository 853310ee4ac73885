extension Machine {
    mutating func agentRegistered(_ now: Moment) {
        agentPresent = true
        agentAwaySince = nil
        asked = []
        emit(.publish)
        // A page may be left of a sign-in that this supervisor or the one before it had to give up.
        if sealedByBrowser || ledger.device.turn == nil && signIn?.call == nil { emit(.agent(.closeSignIn)) }
        guard let barrier = ledger.barrier else {
            if let turn = ledger.device.turn { emit(.agent(.beginTurn(turn.epoch))) }
            return
        }
        if barrier.ended { return retry(now) }
        if barrier.waitsForAgent {
            let policy = policy
            updateBarrier {
                $0.waitsForAgent = false
                $0.started = now.monotonic
                $0.soft = now.monotonic.adding(policy.soft)
                $0.hard = now.monotonic.adding(policy.hard)
                $0.absolute = now.monotonic.adding(policy.absolute)
            }
            for (app, entry) in ledger.roster where entry.state == .containing {
                updateEntry(app) { $0.containmentEnds = now.monotonic.adding(policy.absolute) }
            }
            emit(.publish)
            announceSigningOut()
            return askAll(now, beginning: true)
        }
        askAll(now)
    }

    mutating func agentLost(_ now: Moment) {
        guard agentPresent else { return }
        agentPresent = false
        agentAwaySince = now.monotonic
        asked = []
        emit(.publish)
        // Its page went with the agent, so that sign-in cannot be finished, and nobody knows whether it is closed.
        if signIn?.usesBrowser == true { abandon(.byAgentOrAdministrator, again: false) }
        if signInAgain?.usesBrowser == true { abandon(.byAgentOrAdministrator, again: true) }
        if let signIn, signIn.call == nil { seal("the sign-in page could not be closed") }
        if ledger.barrier?.ended == true { concludeRetry(now) }
    }
}
