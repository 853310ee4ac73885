import BatonContract
import BusTesting
import DBus
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RecordTests {
    static let account = Account(
        id: "https://id.example/|42", username: "ana", name: "Ana Horvat", homeAccountID: "42.t", tenant: "t",
        environment: "id.example", locale: "hr")

    static let receipt = Receipt(
        epoch: 7, journalID: "j", account: account, reason: .idle, started: 1, ended: 2, milliseconds: 3,
        outcome: .contained,
        participants: [
            Receipt.Participant(
                app: "chart", uid: 1000, identity: .proven, outcome: .contained, milliseconds: 5000, proof: .cgroup,
                details: #"{"files":3}"#, explanation: "silent")
        ],
        debts: [Receipt.Debt(app: "old", uid: 1000, since: 3)], browser: .clean, browserExplanation: "looked",
        shared: [Receipt.Check(holder: "clipboard", outcome: .clean, explanation: "")], provider: .pending,
        providerExplanation: "no answer",
        rejected: [Receipt.Rejection(app: "chart", sender: ":1.9", error: .refused(.staleEpoch), count: 2)],
        restarts: 1, explanation: "why", release: Receipt.Release(when: 9, by: .administrator, explanation: "checked"),
        browserChecks: [Receipt.Check(holder: "processes", outcome: .clean, explanation: "")],
        tokens: [Receipt.TokenCount(app: "chart", uid: 1000, count: 3)], tokensExplanation: "restarted")

    @Test func `records come back as they were sent over a bus`() async throws {
        try await withPrivateBus { bus in
            let server = try await bus.connect()
            let client = try await bus.connect()
            var object = ServedObject()
            object.answer(Device1.getReceipt) { _, _ in Self.receipt.dictionary }
            object.answer(Device1.getCurrentAccount) { _, _ in (7, Self.account.dictionary, [:]) }
            try await server.serve(object, at: Device1.path)
            try await server.own(Device1.busName)
            let device = Proxy(client, Device1.busName, Device1.path)
            #expect(try await Receipt(device.call(Device1.getReceipt, 7)) == Self.receipt)
            let (epoch, current, previous) = try await device.call(Device1.getCurrentAccount)
            #expect(epoch == 7)
            #expect(Account(current) == Self.account)
            #expect(Account(previous) == nil)
        }
    }

    @Test(arguments: RecordTests.receipt.dictionary.keys.sorted())
    func `a key of another type is no trap`(_ key: String) {
        var values = Self.receipt.dictionary
        values[key] = .double(1)
        #expect(Receipt(values) != Self.receipt)
    }

    @Test func `outcomes are ordered from the best to the worst`() {
        #expect(Outcome.allCases.shuffled().sorted() == [.cleared, .owed, .contained, .quarantined])
        #expect([Outcome.owed, .cleared, .contained].max() == .contained)
    }
}
