import SessionMachine
import Testing
import Vocabulary

struct AcknowledgementTests {
    private func clearing() throws -> (Session, Instance) {
        let session = Session()
        session.signIn()
        let instance = try #require(session.register(Session.till, ":1.1")).instance
        session.register(Session.notes, ":1.9", pid: 19)
        session.signOut()
        return (session, instance)
    }

    @Test func `a word for another epoch is stale`() throws {
        let (session, instance) = try clearing()
        #expect(session.acknowledge(0, instance, ":1.1")?.refusal == .staleEpoch(expected: 1))
        #expect(session.acknowledge(2, instance, ":1.1")?.refusal == .staleEpoch(expected: 1))
        #expect(session.state(Session.till) == .pending)
    }

    @Test func `a word before the barrier is stale`() throws {
        let session = Session()
        session.signIn()
        let app = session.register(Session.till, ":1.1")
        #expect(session.acknowledge(1, app?.instance, ":1.1")?.refusal?.name == "StaleEpoch")
    }

    @Test func `another connection's word is not authorized, an unknown instance not registered`() throws {
        let (session, instance) = try clearing()
        #expect(session.acknowledge(1, instance, ":1.9")?.refusal == .notYours)
        #expect(session.acknowledge(1, 99, ":1.1")?.refusal == .notRegistered)
        #expect(session.state(Session.till) == .pending)
    }

    @Test func `refused words are counted in the receipt`() throws {
        let (session, instance) = try clearing()
        session.acknowledge(1, instance, ":1.66")
        session.acknowledge(1, instance, ":1.66")
        session.acknowledge(1, instance, ":1.1")
        session.pass(milliseconds: 10_000)
        let receipt = try #require(session.machine.ledger.quarantined)
        #expect(receipt.rejections.map(\.count) == [2])
        #expect(receipt.rejections.map(\.error) == [.refused(.notAuthorized)])
    }

    @Test func `an app that speaks in the agent's place stands in the receipt; who may be an agent does not`() throws {
        let (session, _) = try clearing()
        session.feed(.posedAsAgent(":1.1"))
        session.feed(.posedAsAgent(":1.66"))
        session.pass(milliseconds: 10_000)
        let rows = try #require(session.machine.ledger.quarantined).rejections
        #expect(rows.map(\.app) == [Session.till] && rows.map(\.error) == [.refused(.notAuthorized)])
    }

    @Test func `who calls beyond measure stands in the receipt, by the app of the same process`() throws {
        let (session, _) = try clearing()
        session.register(Session.notes, ":3.1", pid: 77)
        session.feed(.misused(Misuse(.calls, by: ":3.9", pid: 77, count: 3000)))
        session.feed(.misused(Misuse(.calls, by: ":3.9", pid: 77, count: 4000)))
        session.feed(.misused(Misuse(.refusals, by: ":4.1", pid: 78, count: .max)))
        session.feed(.misused(Misuse(.refusals, by: ":4.1", pid: 78, count: 1)))
        session.feed(.misused(Misuse(.abandoned, by: nil, pid: 0, count: 100)))
        session.pass(milliseconds: 10_000)
        let rows = try #require(session.machine.ledger.quarantined).rejections
        #expect(rows.map(\.app) == [Session.notes, nil, nil])
        #expect(rows.map(\.sender) == [":3.9", ":4.1", "others"])
        #expect(rows.map(\.error) == [.misuse(.calls), .misuse(.refusals), .misuse(.abandoned)])
        #expect(rows.map(\.count) == [7000, .max, 100])
        let lines = session.remarks.count { if case .misused = $0 { true } else { false } }
        #expect(lines == 3)
        #expect(!session.remarks.contains { if case .acknowledgementsRefused = $0 { true } else { false } })
    }

    @Test func `no refused word is lost, from however many connections they come`() throws {
        let (session, instance) = try clearing()
        session.register(Session.notes, ":3.1", pid: 77)
        for number in 0..<200 { session.acknowledge(1, instance, ":2.\(number)") }
        for _ in 0..<5 { session.acknowledge(1, instance, ":3.1") }
        session.acknowledge(1, 99, ":2.500")
        session.pass(milliseconds: 10_000)
        let rows = try #require(session.machine.ledger.quarantined).rejections
        #expect(rows.map(\.count).reduce(0, +) == 206)
        #expect(rows.count == 67)
        #expect(rows.contains { $0.app == Session.notes && $0.sender == "others" && $0.count == 5 })
        #expect(
            rows.contains {
                $0.app == nil && $0.sender == "others" && $0.count == 136 && $0.error == .refused(.notAuthorized)
            })
        #expect(rows.contains { $0.sender == "others" && $0.error == .refused(.notRegistered) })
    }

    @Test func `the log is told of the first refused words one by one, and of the others how many they were`() throws {
        let (session, instance) = try clearing()
        for _ in 0..<1000 { session.acknowledge(1, instance, ":1.66") }
        session.pass(milliseconds: 10_000)
        let lines = session.remarks.count { if case .acknowledgementRefused = $0 { true } else { false } }
        #expect(lines == 3)
        let told = session.remarks.compactMap { remark in
            if case .acknowledgementsRefused(let row) = remark { row.count } else { nil as UInt32? }
        }
        #expect(told == [1000])
    }

    @Test func `the first word counts: the same again is success, another is not`() throws {
        let (session, instance) = try clearing()
        #expect(session.acknowledge(1, instance, ":1.1", .nothingToClear) == .done)
        #expect(session.acknowledge(1, instance, ":1.1", .nothingToClear) == .done)
        #expect(session.acknowledge(1, instance, ":1.1", .failed)?.refusal == .saidOtherwise(.nothingToClear))
    }

    @Test func `a word for an old debt does not pay for the epoch being cleared`() throws {
        let session = Session(epoch: 3)
        let app = session.register(Session.till, ":1.1")
        session.signIn()
        session.signOut()
        #expect(session.acknowledge(3, app?.instance, ":1.1") == .done)
        #expect(session.state(Session.till) == .pending)
        #expect(session.acknowledge(4, app?.instance, ":1.1") == .done)
        #expect(session.state(Session.till) == .cleared)
        #expect(session.owed(Session.till) == nil)
    }
}
