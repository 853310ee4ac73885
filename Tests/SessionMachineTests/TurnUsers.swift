import SessionMachine

/// What the tests of turns with Unix users have in common.
protocol TurnUsers {}

extension TurnUsers {
    static var users: [TurnUser] { (0..<3).map { TurnUser(number: UInt8($0), uid: 61000 + UInt32($0)) } }

    func session(agent: Bool = true, _ change: (inout Policy) -> Void = { _ in }) -> Session {
        Session(agent: agent) { policy in
            policy.turnUsers = Set(Self.users.map(\.uid))
            change(&policy)
        }
    }

    func choose(_ session: Session, _ index: Int?) {
        session.feed(.turnUserChosen(index.map { Self.users[$0] }))
    }

    /// A worker holds the device as the first user.
    func inUse(_ change: (inout Policy) -> Void = { _ in }) -> Session {
        let session = session(change)
        choose(session, 0)
        session.signIn()
        return session
    }

    /// As when their sockets are disabled.
    func withoutUsers(_ session: Session) {
        var policy = session.machine.policy
        policy.turnUsers = []
        session.feed(.policyChanged(policy))
    }

    func ends(_ session: Session) -> TurnUser? {
        for case .endTurn(_, let user, limit: _) in session.effects { return user }
        return nil
    }

    func begunAs(_ session: Session) -> TurnUser? {
        for case .beginTurn(let plan) in session.requests { return plan.user }
        return nil
    }

    func choice(_ session: Session) -> TurnUser?? {
        for case .chooseTurnUser(after: let last, beside: _) in session.effects { return .some(last) }
        return nil
    }
}
