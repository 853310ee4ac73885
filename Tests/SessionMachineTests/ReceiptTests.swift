import SessionMachine
import Testing
import Vocabulary

struct ReceiptTests {
    @Test func `a connection took part in the newest sign-out if it was there when that began`() {
        let session = Session()
        session.signIn()
        let app = session.register(Session.till, ":1.5", pid: 7)?.instance ?? 0
        #expect(!session.machine.tookPart(":1.5", in: 1))
        session.signOut()
        // It comes too late to be told.
        session.register(Session.notes, ":1.6", pid: 8)
        session.acknowledge(1, app, ":1.5")
        session.pass(milliseconds: 20_000)
        #expect(session.machine.tookPart(":1.5", in: 1))
        #expect(!session.machine.tookPart(":1.6", in: 1) && !session.machine.tookPart(":1.0", in: 1))
        #expect(!session.machine.tookPart(":1.5", in: 2))
    }

    @Test func `what a receipt keeps of details is bounded as a whole, and who said most loses theirs first`() {
        let session = Session()
        let (long, short) = (String(repeating: "x", count: 4096), #"{"files":1}"#)
        let apps = (0..<100).map { AppKey(uid: 1000, id: "app-\($0)") }
        var instances: [Instance] = []
        for (index, app) in apps.enumerated() {
            instances.append(session.register(app, ":1.\(index + 10)")?.instance ?? 0)
        }
        session.signIn()
        session.signOut()
        let waiting = session.answer()
        #expect(waiting == nil)
        for (index, instance) in instances.enumerated() {
            let word = Acknowledging(
                sender: ":1.\(index + 10)", epoch: session.machine.epoch, instance: instance, outcome: .cleared,
                details: index % 10 == 0 ? short : long)
            #expect(session.call { .acknowledge($0, word) } == .done)
        }
        session.finish()
        let receipt = session.answer(back: apps.count)?.receipt
        let details = receipt?.participants.map(\.details) ?? []
        #expect(details.count == apps.count)
        #expect(details.reduce(0) { $0 + $1.utf8.count } <= 64 << 10)
        #expect(details.count { $0 == short } == 10)
        #expect(details.contains(long))
        // What is cut says so, and how much there was.
        let cut = details.filter { $0 != short && $0 != long }
        #expect(!cut.isEmpty && cut.allSatisfy { $0.hasPrefix(#"{"truncated":"4096 bytes"#) }, "\(cut.first ?? "")")
    }
}
