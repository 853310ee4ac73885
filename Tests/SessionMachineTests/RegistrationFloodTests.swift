import SessionMachine
import Testing
import Vocabulary

/// Apps of one user that come and go, as many as somebody likes.
struct RegistrationFloodTests {
    private static func hostile(_ number: Int) -> AppKey { AppKey(uid: 1000, id: "hostile\(number)") }

    /// Registers and goes, with the worker's data or with a good-bye.
    private func pass(_ session: Session, _ number: Int, saysGoodBye: Bool = false, dies: Bool = true) {
        let sender = ":2.\(number)"
        let pid: Int32 = dies ? 1000 + Int32(number) : 1000
        guard let answer = session.register(Self.hostile(number), sender, pid: pid) else { return }
        if saysGoodBye { session.call { .leave($0, sender, answer.instance) } }
        session.feed(.disconnected(sender))
        if dies { session.feed(.processExited(answer.instance)) }
    }

    @Test(arguments: [false, true])
    func `apps that come and go by the hundred keep no other app out`(_ saysGoodBye: Bool) throws {
        let session = Session()
        session.signIn()
        for number in 0..<600 { pass(session, number, saysGoodBye: saysGoodBye) }
        #expect(session.register(Session.notes, ":1.1")?.clearThrough == 0)
        #expect(session.machine.ledger.roster.count < 200)
    }

    @Test func `one process leaves room for the others, however many apps it says it is`() {
        let session = Session()
        session.signIn()
        for number in 0..<300 { session.register(Self.hostile(number), ":2.\(number)", pid: 1000) }
        #expect(session.answer()?.refusal == .tooManyForProcess(limit: 224))
        #expect(session.register(Session.notes, ":1.1") != nil)
    }

    @Test func `one process that comes and goes keeps no other app out`() {
        let session = Session()
        session.signIn()
        for number in 0..<600 { pass(session, number, dies: false) }
        #expect(session.register(Session.notes, ":1.1") != nil)
    }

    @Test func `what went without a word and is kept without a name must clear all the same`() throws {
        let session = Session()
        session.signIn()
        let notes = try #require(session.register(Session.notes, ":1.1"))
        for number in 0..<300 { pass(session, number) }
        session.signOut()
        session.acknowledge(1, notes.instance, ":1.1")
        session.finish()
        let receipt = try #require(session.answer(back: 1)?.receipt)
        #expect(receipt.outcome == .owed)
        let together = try #require(receipt.participants.first { $0.app.id == "*gone" })
        #expect(together.outcome == .owed && together.details == #"{"apps":172}"#)
        session.signIn(Session.ben)
        // Kept by name, kept without, and never seen: nobody can tell those two apart.
        for number in [0, 299, 999] {
            let answer = try #require(session.register(Self.hostile(number), ":3.\(number)", pid: 5000 + Int32(number)))
            #expect(answer.clearThrough == 1 && answer.holder == nil)
            #expect(session.acknowledge(1, answer.instance, ":3.\(number)") == .done)
            #expect(session.machine.mayHaveToken(":3.\(number)"))
        }
        // Whom the journal knows by name is not concerned.
        #expect(session.register(Session.notes, ":1.1", clearedThrough: 1)?.clearThrough == 0)
    }

    @Test func `those that said good-bye leave nothing behind`() throws {
        let session = Session()
        session.signIn()
        for number in 0..<300 { pass(session, number, saysGoodBye: true) }
        session.signOut()
        session.finish()
        let receipt = try #require(session.answer()?.receipt)
        #expect(receipt.outcome == .cleared)
        #expect(receipt.participants.contains { $0.app.id == "*left" && $0.details == #"{"apps":172}"# })
        #expect(session.register(Session.notes, ":1.1")?.clearThrough == 0)
    }

    @Test func `turn after turn, no debts of theirs keep a new app out`() throws {
        let session = Session()
        for turn in 0..<4 {
            session.signIn()
            for number in 0..<300 { pass(session, turn * 1000 + number) }
            session.signOut()
            session.finish()
            for number in 300..<600 { pass(session, turn * 1000 + number) }
        }
        let answer = try #require(session.register(Session.notes, ":1.1"))
        #expect(answer.clearThrough == 4)
        #expect(session.machine.ledger.apps.values.count { $0.owed != nil } <= 130)
        let gone = AppKey(uid: 1000, id: "*gone")
        #expect(session.call { .forgetApp($0, gone) } == .done)
        #expect(session.owed(gone) == nil)
    }
}
