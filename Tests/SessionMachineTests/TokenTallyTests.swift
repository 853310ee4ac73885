import SessionMachine
import Testing
import Vocabulary

struct TokenTallyTests {
    private func session() -> Session { Session { $0.providerWait = 2_000_000 } }

    /// The tokens in the receipt of a sign-out, with the provider's word.
    private func receipt(_ session: Session) throws -> TokenTally {
        session.signOut()
        session.feed(.signedOutAtProvider(session.machine.epoch, ProviderReport(.told)))
        var ended: TokenTally?
        session.finish()
        for case .ended(let receipt) in session.records { ended = receipt.tokens }
        return try #require(ended)
    }

    @Test func `a receipt counts the tokens of its turn for each app`() throws {
        let session = session()
        session.signIn()
        for app in [Session.till, Session.notes, Session.till] { session.machine.countToken(app, 1) }
        let first = try receipt(session)
        #expect(first.rows == [.init(app: Session.till, count: 2), .init(app: Session.notes, count: 1)])
        #expect(first.explanation.isEmpty)
        session.signIn()
        #expect(try receipt(session) == TokenTally(epoch: 2))
    }

    @Test func `after a restart in the turn the receipt says what it does not count`() throws {
        let session = session()
        session.signIn()
        session.machine.countToken(Session.till, 1)
        session.restart()
        session.agentComes()
        session.machine.countToken(Session.notes, 1)
        let tally = try receipt(session)
        #expect(tally.rows == [.init(app: Session.notes, count: 1)])
        #expect(tally.explanation.text.contains("restart of batond"))
        session.signIn()
        #expect(try receipt(session) == TokenTally(epoch: 2))
    }

    @Test func `a restart in the sign-out loses no token`() throws {
        let session = session()
        session.signIn()
        session.machine.countToken(Session.till, 1)
        session.signOut()
        session.restart()
        session.agentComes()
        #expect(try receipt(session) == TokenTally(epoch: 1, rows: [.init(app: Session.till, count: 1)]))
    }

    @Test func `what cannot be written takes back no token`() throws {
        let session = session()
        session.signIn()
        let before = session.machine
        session.machine.countToken(Session.till, 1)
        session.machine.revert(to: before)
        #expect(try receipt(session).rows == [.init(app: Session.till, count: 1)])
    }

    @Test func `apps without end share a row`() throws {
        let session = session()
        session.signIn()
        for number in 0..<200 { session.machine.countToken(AppKey(uid: 1000, id: "app-\(number)"), 1) }
        session.machine.countToken(AppKey(uid: 1000, id: "app-0"), 1)
        let rows = try receipt(session).rows
        #expect(rows.count == 65 && rows.first?.count == 2)
        #expect(rows.last == TokenTally.Row(app: nil, count: 136))
    }
}
