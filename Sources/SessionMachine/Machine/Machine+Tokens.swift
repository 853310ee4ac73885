public import Vocabulary

extension Machine {
    /// The app that this connection is, as long as nothing but the phase keeps it from a token (S1).
    public func tokenApp(_ sender: Sender) throws(Refusal) -> AppKey {
        guard mode == .shared else { throw .notShared }
        let mine = (ledger.instancesBySender[sender] ?? []).compactMap { ledger.registrations[$0] }
        guard let registration = mine.first(where: \.connected) else { throw .notAnApp }
        switch phase {
        case .clearing: throw .signingOut
        case .quarantined: throw .quarantined
        case .ready, .signingIn, .inUse: break
        }
        let owed = mustClear(sender)
        guard owed == 0 else { throw .mustClearFirst(owed) }
        // It may have registered before its file said so.
        if policy.provenApps.contains(registration.app.id), !registration.proven { throw .proofNeeded }
        return registration.app
    }

    /// The process of a registered connection, as the bus named it.
    public func pid(of sender: Sender) -> Int32? {
        ledger.instancesBySender[sender]?.first.flatMap { ledger.registrations[$0]?.pid }
    }

    /// The turn that this connection may have a token of (S3).
    public func tokenTurn(_ sender: Sender) throws(Refusal) -> Ledger.TurnRecord {
        _ = try tokenApp(sender)
        guard let turn = ledger.device.turn else { throw phase == .signingIn ? .signingIn : .notSignedIn }
        guard agentPresent || !policy.agentRequired else { throw .agentMissing }
        return turn
    }

    public func mayHaveToken(_ sender: Sender) -> Bool { (try? tokenTurn(sender)) != nil }

    /// Whether this turn goes on: nothing of it leaves once its sign-out has begun.
    public func isOpen(_ epoch: Epoch) -> Bool { phase == .inUse && ledger.device.turn?.epoch == epoch }
}
