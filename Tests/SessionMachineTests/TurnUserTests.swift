import SessionMachine
import Testing
import Vocabulary

/// Turns that have a Unix user each, whose slice the supervisor ends.
struct TurnUserTests: TurnUsers {
    /// Of the turn's own user.
    private static let own = AppKey(uid: 61000, id: "own")

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

    @Test func `a silent program of the turn's is not waited for, since the slice ends it`() throws {
        let session = inUse()
        session.register(Self.own, ":1.1")
        session.feed(.disconnected(":1.1"))
        session.signOut()
        // The browser has its time for the provider's page.
        #expect(ends(session) == nil)
        session.agentSays(.browserSignedOut(1, .clean, ""))
        #expect(ends(session) == Self.users[0])
        session.feed(.turnEnded(1, .empty))
        session.agentSays(.sharedHoldersCleared(1, []))
        let receipt = try #require(session.answer()?.receipt)
        #expect(receipt.outcome == .contained)
        #expect(receipt.participants.map(\.proof) == [.slice])
        #expect(session.machine.phase == .ready)
    }

    @Test func `while an app of the device's clears, the slice is not ended for that of a silent one`() throws {
        let session = inUse()
        session.register(Self.own, ":1.1")
        let till = try #require(session.register(Session.till, ":1.2")).instance
        session.feed(.disconnected(":1.1"))
        session.signOut()
        session.agentSays(.browserSignedOut(1, .clean, ""))
        #expect(ends(session) == nil)
        session.acknowledge(1, till, ":1.2")
        #expect(ends(session) == Self.users[0])
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
        #expect(session.effects.contains(.chooseTurnUser(after: Self.users[0], beside: Self.users[0])))
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
        #expect(session.requests.contains(.prepareTurn(Self.users[1], beside: nil)))
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
