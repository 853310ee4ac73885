import SessionMachine
import Testing
import Vocabulary

struct RegistrationTests {
    @Test func `an app that the journal never saw starts clean`() throws {
        let session = Session()
        session.signIn()
        let answer = try #require(session.register(Session.till, ":1.1"))
        #expect(answer.clearThrough == 0)
        #expect(answer.holder == Session.ana)
        #expect(session.machine.mayHaveToken(":1.1"))
    }

    @Test func `where the journal itself is new, an app that knows nothing must clear`() {
        let session = Session(epoch: 7)
        #expect(session.register(Session.till, ":1.1")?.clearThrough == 7)
        #expect(session.register(Session.notes, ":1.2", clearedThrough: 7)?.clearThrough == 0)
    }

    @Test func `an app that missed a whole sign-out is told at Register and gets no account`() throws {
        let session = Session()
        session.signIn()
        let old = session.register(Session.notes, ":1.1")
        session.feed(.disconnected(":1.1"))
        session.feed(.processExited(old?.instance ?? 0))
        session.signOut()
        session.finish()
        #expect(session.owed(Session.notes) == 1)
        session.signIn(Session.ben)
        let answer = try #require(session.register(Session.notes, ":1.2", pid: 11))
        #expect(answer.clearThrough == 1)
        #expect(answer.holder == nil)
        #expect(!session.machine.mayHaveToken(":1.2"))
        #expect(session.acknowledge(1, answer.instance, ":1.2") == .done)
        #expect(session.owed(Session.notes) == nil)
        #expect(session.machine.mayHaveToken(":1.2"))
    }

    @Test func `a cleared-through below the journal's lowers it, one above is ignored`() {
        let session = Session()
        session.signIn()
        let app = session.register(Session.till, ":1.1")
        session.signOut()
        session.acknowledge(1, app?.instance, ":1.1")
        session.finish()
        #expect(session.register(Session.till, ":1.2", pid: 11, clearedThrough: 1)?.clearThrough == 0)
        #expect(session.register(Session.till, ":1.3", pid: 12, clearedThrough: 9)?.clearThrough == 0)
        #expect(session.register(Session.till, ":1.4", pid: 13, clearedThrough: 0)?.clearThrough == 1)
    }

    /// Who signs in as the second worker, with `notes` clean and registered.
    private func secondTurn() throws -> (Session, Answer.Registered) {
        let session = Session()
        session.signIn()
        let app = try #require(session.register(Session.notes, ":1.1"))
        session.signOut()
        session.acknowledge(1, app.instance, ":1.1")
        session.finish()
        session.signIn(Session.ben)
        return (session, app)
    }

    @Test func `an app that remembers nothing keeps the present worker's work over a restart of the supervisor`() throws
    {
        let (session, _) = try secondTurn()
        session.restart(alive: [":1.1"])
        session.agentComes()
        let answer = try #require(session.register(Session.notes, ":1.1"))
        #expect(answer.clearThrough == 0)
        #expect(answer.holder == Session.ben)
        // The sign-out asks it all the same.
        session.signOut()
        #expect(session.state(Session.notes) == .pending)
        #expect(session.machine.mustClear(":1.1") == 2)
    }

    @Test func `and over a restart of its own, in the same turn`() throws {
        let (session, app) = try secondTurn()
        session.feed(.disconnected(":1.1"))
        session.feed(.processExited(app.instance))
        let again = try #require(session.register(Session.notes, ":1.2", pid: 11))
        #expect(again.clearThrough == 0)
        #expect(again.holder == Session.ben)
    }

    @Test func `one that was not there in this turn, or remembers less than the journal, clears`() throws {
        let (session, app) = try secondTurn()
        #expect(session.call { .leave($0, ":1.1", app.instance) } == .done)
        session.signOut()
        session.finish()
        session.signIn()
        #expect(session.register(Session.notes, ":1.1")?.clearThrough == 2)
        let (other, _) = try secondTurn()
        other.signOut()
        other.acknowledge(2, app.instance, ":1.1")
        other.finish()
        other.signIn()
        #expect(other.register(Session.notes, ":1.1", clearedThrough: 1)?.clearThrough == 2)
    }

    @Test func `one connection speaks for one app`() {
        let session = Session()
        session.register(Session.till, ":1.1")
        #expect(session.register(Session.notes, ":1.1") == nil)
        #expect(session.answer()?.refusal == .anotherApp(registered: "till"))
    }

    @Test func `registering again on a connection ends the old instance's claim`() throws {
        let session = Session()
        session.signIn()
        let first = try #require(session.register(Session.till, ":1.1"))
        let second = try #require(session.register(Session.till, ":1.1"))
        session.signOut()
        #expect(session.acknowledge(1, first.instance, ":1.1")?.refusal == .notRegistered)
        #expect(session.acknowledge(1, second.instance, ":1.1") == .done)
    }

    @Test func `an unlisted app is kept out where the settings say so`() {
        let session = Session { $0.acceptsUnlistedApps = false }
        #expect(session.register(Session.notes, ":1.1") == nil)
        #expect(session.answer()?.refusal == .unlistedApp)
        #expect(session.register(Session.till, ":1.2") != nil)
    }

    @Test func `an app that the agent starts must show its token`() {
        let session = Session()
        let request = Registering(sender: ":1.1", app: Session.till, pid: 1, mustProve: true)
        #expect(session.call { .register($0, request) }?.refusal == .proofNeeded)
    }

    @Test func `a claim never pays the debt of an app that must prove itself`() {
        let session = Session()
        session.signIn()
        let proven = session.register(Session.till, ":1.1", proven: true)
        session.signOut()
        let claimed = session.register(Session.till, ":1.2", pid: 11)
        session.feed(.disconnected(":1.1"))
        session.feed(.processExited(proven?.instance ?? 0))
        session.acknowledge(1, claimed?.instance, ":1.2")
        #expect(session.state(Session.till) == .pending)
    }

    @Test func `the limits hold for connection, user and device`() {
        let session = Session {
            $0.connectionsPerApp = 2
            $0.participantsPerUser = 3
        }
        for number in 1...2 { session.register(Session.till, ":1.\(number)", pid: Int32(number)) }
        session.register(Session.till, ":1.3", pid: 3)
        #expect(session.answer()?.refusal == .tooManyConnections(limit: 2))
        session.register(Session.notes, ":1.4", pid: 4)
        session.register(AppKey(uid: 1000, id: "third"), ":1.5", pid: 5)
        #expect(session.answer()?.refusal == .tooManyForUser(limit: 3))
        #expect(session.register(AppKey(uid: 1001, id: "third"), ":1.6", pid: 6) != nil)
    }

    @Test func `another bus gives the same names to others`() {
        let session = Session()
        session.signIn()
        session.register(Session.till, ":1.1")
        session.restart(bus: "another")
        session.agentComes()
        #expect(session.register(Session.notes, ":1.1", pid: 20) != nil)
        #expect(session.machine.mayHaveToken(":1.1"))
    }

    @Test func `forgetting an app ends its debt`() {
        let session = Session(epoch: 3)
        session.register(Session.notes, ":1.1")
        #expect(session.owed(Session.notes) == 3)
        #expect(session.call { .forgetApp($0, Session.notes) } == .done)
        #expect(session.owed(Session.notes) == nil)
        #expect(session.machine.mustClear(":1.1") == 0)
        #expect(session.call { .forgetApp($0, Session.till) }?.refusal == .unknownApp)
    }

    @Test func `a mere claim that leaves takes nobody off the roster who has proven who it is`() throws {
        let session = Session()
        session.signIn()
        let app = try #require(session.register(Session.till, ":1.1", proven: true))
        session.feed(.disconnected(":1.1"))
        session.feed(.processExited(app.instance))
        let claim = try #require(session.register(Session.till, ":1.2", pid: 11))
        #expect(session.call { .leave($0, ":1.2", claim.instance) } == .done)
        session.signOut()
        #expect(session.state(Session.till) == .containing)
    }

    @Test func `a mere claim that leaves pays no debt that needs proof`() throws {
        let session = Session()
        session.signIn()
        session.register(Session.notes, ":1.1", proven: true)
        session.signOut()
        session.feed(.disconnected(":1.1"))
        session.pass(milliseconds: 1500)
        session.agentSays(.contained(Session.notes, Containment(epoch: 1, outcome: .stopped, instances: [1])))
        session.finish()
        #expect(session.owed(Session.notes) == 1)
        session.signIn(Session.ben)
        let claim = try #require(session.register(Session.notes, ":1.2", pid: 11))
        #expect(session.call { .leave($0, ":1.2", claim.instance) } == .done)
        session.signOut()
        session.finish()
        #expect(session.owed(Session.notes) == 2)
        #expect(session.machine.ledger.apps[Session.notes]?.debtNeedsProof == true)
    }

    @Test func `an app that has proven who it is leaves for good, and so does one of which nobody asked that`() throws {
        for proven in [true, false] {
            let session = Session()
            session.signIn()
            let app = try #require(session.register(Session.till, ":1.1", proven: proven))
            #expect(session.call { .leave($0, ":1.1", app.instance) } == .done)
            session.signOut()
            #expect(session.state(Session.till) == .cleared)
        }
    }

    @Test func `while the journal cannot be written nobody joins a turn, and each try is one to write`() throws {
        let session = Session()
        session.signIn()
        session.feed(.journalFailed)
        #expect(session.register(Session.till, ":1.1") == nil)
        #expect(session.answer()?.refusal == .journalFailed)
        #expect(!session.records.isEmpty)
        #expect(session.machine.ledger.registrations.isEmpty)
        session.feed(.journalRecovered)
        #expect(session.register(Session.till, ":1.1")?.holder == Session.ana)
    }

    @Test func `where a mark or nobody's turn makes up for the journal, apps still register`() {
        let session = Session()
        session.feed(.journalFailed)
        #expect(session.register(Session.till, ":1.1") != nil)
        session.feed(.journalRecovered)
        session.signIn()
        session.feed(.journalFailed)
        session.signOut()
        #expect(session.effects.contains(.mark))
        #expect(session.register(Session.notes, ":1.2", pid: 11)?.clearThrough == 1)
    }

    @Test func `no number is given that the journal could not read back`() {
        var ledger = Ledger(epoch: 0)
        var device = ledger.device
        device.nextInstance = .greatest
        ledger.apply(.device(device))
        let session = Session()
        session.journal = ledger
        session.restart()
        let request = Registering(sender: ":1.1", app: Session.notes, pid: 10)
        #expect(session.call { .register($0, request) }?.refusal == .failed)
        #expect(session.machine.ledger.device.nextInstance == .greatest)
    }
}
