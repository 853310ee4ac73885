import SessionMachine
import Testing
import Vocabulary

/// Turns that have a Unix user each, whose slice the supervisor ends.
struct TurnUserTests {
    private static let users = (0..<3).map { TurnUser(number: UInt8($0), uid: 61000 + UInt32($0)) }
    /// Of the turn's own user.
    private static let own = AppKey(uid: 61000, id: "own")

    private func session(agent: Bool = true, _ change: (inout Policy) -> Void = { _ in }) -> Session {
        Session(agent: agent) { policy in
            policy.turnUsers = Set(Self.users.map(\.uid))
            change(&policy)
        }
    }

    private func choose(_ session: Session, _ index: Int?) {
        session.feed(.turnUserChosen(index.map { Self.users[$0] }))
    }

    /// A worker holds the device as the first user.
    private func inUse(_ change: (inout Policy) -> Void = { _ in }) -> Session {
        let session = session(change)
        choose(session, 0)
        session.signIn()
        return session
    }

    /// As when their sockets are disabled.
    private func withoutUsers(_ session: Session) {
        var policy = session.machine.policy
        policy.turnUsers = []
        session.feed(.policyChanged(policy))
    }

    private func ends(_ session: Session) -> TurnUser? {
        for case .endTurn(_, let user, limit: _) in session.effects { return user }
        return nil
    }

    private func begunAs(_ session: Session) -> TurnUser? {
        for case .beginTurn(let plan) in session.requests { return plan.user }
        return nil
    }

    private func choice(_ session: Session) -> TurnUser?? {
        for case .chooseTurnUser(after: let last) in session.effects { return .some(last) }
        return nil
    }

    // MARK: Choosing

    @Test func `a user is chosen at the start, and the next one when the turn has ended`() {
        let session = session(agent: false)
        #expect(choice(session) == .some(nil))
        choose(session, 0)
        #expect(session.journal.device.nextUser == Self.users[0])
        session.agentComes()
        #expect(session.requests.contains(.prepareTurn(Self.users[0])))
        session.signIn()
        #expect(session.machine.turnUser == Self.users[0])
        #expect(session.journal.device.nextUser == nil)
        #expect(begunAs(session) == Self.users[0])
        // Not while a program of this turn could bring something into the next one's slice.
        #expect(choice(session) == nil)
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.feed(.turnEnded(1, .empty))
        #expect(choice(session) == nil)
        session.agentSays(.sharedHoldersCleared(1, []))
        #expect(choice(session) == Self.users[0])
        choose(session, 1)
        #expect(session.requests == [.prepareTurn(Self.users[1])])
    }

    @Test func `a sign-in that succeeds before a user is chosen takes the device with that user`() {
        let session = session()
        #expect(session.signIn() == nil)
        #expect(session.machine.phase == .signingIn)
        choose(session, 2)
        #expect(session.answer() == .signedIn(1, Session.ana))
        #expect(session.machine.turnUser == Self.users[2])
    }

    @Test func `a sign-in that opened its page and failed takes its user with it`() {
        let session = session()
        choose(session, 0)
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.feed(.signInFailed(1, .providerRejected("no")))
        #expect(choice(session) == nil)
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(choice(session) == Self.users[0])
        #expect(session.journal.device.nextUser == nil)
        choose(session, 1)
        #expect(session.requests == [.prepareTurn(Self.users[1])])
        session.signIn()
        #expect(session.machine.turnUser == Self.users[1])
    }

    @Test func `one that opened no page leaves the start page as it is`() {
        let session = session()
        choose(session, 0)
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInFailed(1, .wrongCredentials))
        #expect(session.journal.device.nextUser == Self.users[0])
    }

    @Test func `a supervisor that starts in the middle of a sign-in's page chooses another user`() {
        let session = session()
        choose(session, 0)
        session.call { .signIn($0, ":1.0") }
        session.feed(.signInUsesBrowser(1))
        session.restart()
        #expect(choice(session) == Self.users[0])
        choose(session, 1)
        session.agentComes()
        session.agentSays(.signInBrowserClosed(clean: true))
        #expect(session.requests == [.prepareTurn(Self.users[1])])
        #expect(session.journal.device.nextUser == Self.users[1])
    }

    @Test func `without a clean user the device is quarantined, and a sign-out looks again`() {
        let session = session()
        let waiting = session.signIn()
        #expect(waiting == nil)
        choose(session, nil)
        #expect(session.answer()?.refusal == .quarantined)
        #expect(session.machine.phase == .quarantined)
        #expect(session.machine.sealed == .noTurnUser)
        #expect(session.signOut() == nil)
        #expect(choice(session) == .some(nil))
        choose(session, nil)
        #expect(session.machine.phase == .quarantined)
        #expect(session.answer() != nil)
        #expect(session.call { .endQuarantine($0) } == nil)
        choose(session, 1)
        #expect(session.machine.phase == .ready)
        #expect(session.answer() == .receipt(nil))
    }

    // MARK: Ending

    @Test func `the slice is ended after apps and browser, before what programs share is cleared`() throws {
        let session = inUse()
        let instance = try #require(session.register(Self.own, ":1.1")).instance
        session.signOut()
        #expect(ends(session) == nil)
        session.acknowledge(1, instance, ":1.1")
        #expect(ends(session) == nil)
        #expect(!session.asks(.sharedHoldersCleared(1)))
        session.agentSays(.browserSignedOut(1, .clean, ""))
        #expect(ends(session) == Self.users[0])
        #expect(!session.asks(.sharedHoldersCleared(1)))
        session.feed(.turnEnded(1, .empty))
        #expect(session.asks(.sharedHoldersCleared(1)))
        // Nothing of that user is left, and its number may come again.
        #expect(session.journal.registrations.isEmpty)
        #expect(session.journal.apps[Self.own] == nil)
        session.agentSays(.sharedHoldersCleared(1, []))
        let receipt = try #require(session.answer(back: 1)?.receipt)
        #expect(receipt.outcome == .cleared)
        let row = Barrier.Check(name: "turn", outcome: .clean, explanation: "ended, proof: slice")
        #expect(receipt.shared.first == row)
        #expect(session.machine.phase == .ready)
    }

    @Test func `without users of their own the receipt says that turns are not told apart`() throws {
        let session = Session()
        session.signIn()
        session.signOut()
        session.finish()
        let row = try #require(session.answer()?.receipt?.shared.first)
        #expect(row.name == "turn" && row.outcome == .unchecked)
        #expect(row.explanation == "turns have no users of their own")
    }

    @Test func `however an agent hangs, the slice is ended while there is time for the rest`() throws {
        let session = inUse { $0.containment = 5_000_000 }
        session.register(Self.own, ":1.1")
        session.signOut()
        session.pass(milliseconds: 7999)
        #expect(!session.machine.endsTurn)
        session.pass(milliseconds: 1)
        #expect(session.machine.endsTurn)
        session.feed(.turnEnded(1, .empty))
        #expect(session.state(Self.own) == .contained)
        #expect(session.machine.ledger.roster[Self.own]?.proof == .slice)
        session.pass(milliseconds: 2000)
        let receipt = try #require(session.answer()?.receipt)
        #expect(receipt.outcome == .quarantined)
        #expect(receipt.shared.first?.outcome == .clean)
        #expect(receipt.participants.map(\.proof) == [.slice])
    }

    @Test func `an agent that is away keeps no turn from being ended`() throws {
        let session = inUse()
        session.agentLeaves()
        session.signOut()
        session.pass(milliseconds: 4999)
        #expect(!session.machine.endsTurn)
        session.pass(milliseconds: 1)
        #expect(session.machine.endsTurn)
        #expect(session.machine.phase == .clearing)
        session.feed(.turnEnded(1, .empty))
        #expect(session.machine.phase == .quarantined)
        let receipt = try #require(session.answer()?.receipt)
        #expect(receipt.shared.first?.outcome == .clean)
        #expect(receipt.explanation.text == "the agent was not there")
    }

    @Test(arguments: [TurnEnd.populated, .unknown("no such file")])
    func `a slice that is not empty quarantines, also for an administrator, until the kernel says that it is`(
        end: TurnEnd
    ) throws {
        let session = inUse()
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.feed(.turnEnded(1, end))
        session.agentSays(.sharedHoldersCleared(1, []))
        let receipt = try #require(session.answer()?.receipt)
        #expect(receipt.outcome == .quarantined)
        #expect(receipt.explanation.text == "not cleared: turn")
        session.pass(milliseconds: 6000)
        #expect(session.call { .endQuarantine($0) } == nil)
        #expect(ends(session) == Self.users[0])
        session.feed(.turnEnded(1, end))
        #expect(session.answer()?.refusal == .notEnded)
        #expect(session.machine.phase == .quarantined)
        session.pass(milliseconds: 6000)
        #expect(session.signOut() == nil)
        session.feed(.turnEnded(1, .empty))
        session.finish()
        #expect(session.machine.phase == .ready)
        #expect(session.answer()?.receipt?.release?.by == .retry)
    }

    @Test func `a kernel that is not heard quarantines at the absolute limit, and its word releases later`() throws {
        let session = inUse()
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.pass(milliseconds: 10_000)
        #expect(session.machine.phase == .quarantined)
        #expect(session.answer()?.receipt?.shared.first?.outcome == .failed)
        session.feed(.turnEnded(1, .empty))
        session.finish()
        #expect(session.machine.phase == .ready)
    }

    // MARK: Other turns

    @Test func `a process of another turn's user takes no part`() {
        let session = inUse()
        let late = Registering(sender: ":1.7", app: AppKey(uid: 61001, id: "late"), pid: 7)
        #expect(session.call { .register($0, late) }?.refusal == .otherTurn)
        #expect(session.machine.isOfOtherTurn(uid: 61001))
        #expect(!session.machine.isOfOtherTurn(uid: 61000))
        // A resident app is of no turn.
        #expect(!session.machine.isOfOtherTurn(uid: 1000))
        #expect(session.register(Session.till, ":1.8") != nil)
    }

    @Test func `a supervisor that starts again ends all but the turn that goes on, or the user of the next one`() {
        let session = inUse()
        session.restart()
        #expect(session.effects.contains(.endTurns(except: [Self.users[0]])))
        #expect(choice(session) == nil)
        session.agentComes()
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.restart()
        #expect(ends(session) == Self.users[0])
        session.agentComes()
        session.feed(.turnEnded(1, .empty))
        // What it has proven it need not prove again.
        session.restart()
        session.agentComes()
        #expect(ends(session) == nil)
        session.finish()
        #expect(session.machine.phase == .ready)
        choose(session, 1)
        session.restart()
        #expect(session.effects.contains(.endTurns(except: [Self.users[1]])))
        session.agentComes()
        #expect(session.requests.contains(.prepareTurn(Self.users[1])))
    }

    @Test func `where turns have no users any more, the next one has none, and the last one's slice is ended`() {
        let session = session()
        choose(session, 0)
        withoutUsers(session)
        #expect(session.journal.device.nextUser == nil)
        session.signIn()
        #expect(session.machine.turnUser == nil)
        session.signOut()
        session.finish()
        #expect(session.machine.phase == .ready)

        let other = inUse()
        withoutUsers(other)
        other.signOut()
        other.agentSays(.browserSignedOut(1, .clean, ""))
        #expect(ends(other) == Self.users[0])
    }

    @Test func `after a reboot a user is looked for anew, and it is not that of the turn before`() {
        let session = session()
        choose(session, 1)
        session.signIn()
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        session.feed(.turnEnded(1, .empty))
        session.agentSays(.sharedHoldersCleared(1, []))
        choose(session, 2)
        session.restart(boot: "other")
        #expect(session.journal.device.nextUser == nil)
        #expect(choice(session) == Self.users[1])
        #expect(session.effects.contains(.endTurns(except: [])))
    }

    @Test func `without a journal no turn is ended: whose it is is not known`() {
        let session = inUse()
        session.restart(sealed: "unreadable")
        #expect(!session.effects.contains { if case .endTurns = $0 { true } else { false } })
    }
}
