import GeneratedInput
import MachineTesting
import Vocabulary

@testable import SessionMachine

/// A device's life as records: epochs begin and end as they must, everything else is random.
struct GeneratedLife {
    var random: GeneratedInput
    var ledger: Ledger
    private var isClearing = false

    init(seed: UInt64, ledger: Ledger) {
        random = GeneratedInput(seed: seed)
        self.ledger = ledger
    }

    mutating func transaction() -> [Record] {
        let records = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in step() }
        return records
    }

    private mutating func step() -> [Record] {
        let records: [Record] =
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: turn()
            case 2, 3: [.app(key(), chance() ? app() : nil)]
            case 4, 5: [.registration(number(below: 20), chance() ? registration() : nil)]
            case 6, 7: [.entry(key(), chance() ? entry() : nil)]
            case 8: [.barrier(chance() ? barrier(max(ledger.device.epoch, 1)) : nil)]
            case 9: [.device(device(ledger.device))]
            case 10: chance(8) ? [.rosterCleared] : [.entry(key(), entry())]
            default: release()
            }
        for record in records { ledger.apply(record) }
        return records
    }

    private mutating func turn() -> [Record] {
        var device = device(ledger.device)
        guard let turn = device.turn else {
            device.epoch = device.epoch.advanced(by: .random(in: 1...3, using: &random))
            let holder = holder()
            device.turn = Ledger.TurnRecord(epoch: device.epoch, holder: holder, when: wall())
            return [.began(device.epoch, holder, wall: wall()), .device(device)]
        }
        guard isClearing else {
            isClearing = true
            return [
                .clearing(turn.epoch, pick(SignOutReason.allCases, .user), wall: wall()), .barrier(barrier(turn.epoch)),
            ]
        }
        isClearing = false
        device.turn = nil
        device.previous = chance() ? turn : nil
        return [.ended(receipt(turn)), .device(device)]
    }

    private mutating func release() -> [Record] {
        guard let receipt = ledger.quarantined else { return [] }
        return [.released(receipt.epoch, Barrier.Release(when: wall(), by: .retry, explanation: explanation()))]
    }

    // MARK: Values

    mutating func chance(_ percent: Int = 75) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func pick<Value>(_ values: [Value], _ other: Value) -> Value {
        values.randomElement(using: &random) ?? other
    }

    mutating func number(below bound: UInt64) -> Instance {
        Instance(rawValue: .random(in: 0..<bound, using: &random))
    }

    mutating func big() -> UInt64 { pick([0, 1, 1 << 53 + 1, UInt64(Int64.max), .max, random.next()], 0) }

    mutating func big<Number: SerialNumber>() -> Number { Number(rawValue: big()) }

    mutating func wall() -> Int64 { pick([0, -1, .min, .max, 1_790_000_000_000_000], 0) }

    mutating func text() -> String {
        pick(["", "plain", "it's \"quoted\"; --", "žluťoučký\u{0}kůň 🐴", "\n\t\u{1b}[0m", "{\"a\":1}"], "")
    }

    mutating func explanation() -> Explanation {
        let parts: [Explanation.Part] = [
            .olderCopy, .absoluteLimit(microseconds: big()), .restarted(times: .max),
            .sealed(pick([.unwrittenSignOut, .unreadableJournal(text())], .openSignInPage)),
            .browserNotSignedOut(failed: [text()]), .slowWrite(limit: big(), took: big()), .begunSince(big()),
            .said("x" + text()),
        ]
        guard chance() else { return Explanation(said: text()) }
        return Explanation((0..<Int.random(in: 1...3, using: &random)).map { _ in pick(parts, .notRunning) })
    }

    mutating func holder() -> TurnAccount {
        TurnAccount(id: "https://id.example|" + text(), attributes: ["name": text()])
    }

    mutating func key() -> AppKey {
        AppKey(uid: pick([0, 1000, .max], 0), id: pick(["org.a", "org.b", "O'Hara", "č", "org.A"], "org.a"))
    }

    mutating func app() -> AppRecord {
        AppRecord(
            clearedThrough: big(), owed: chance() ? big() : nil, owedSince: chance() ? big() : nil,
            debtNeedsProof: chance())
    }

    mutating func registration() -> Registration {
        var value = Registration(
            app: key(), sender: ":1." + text(), pid: pick([1, .max, .min], 1), proven: chance(), mustClear: big(),
            told: big(), connected: chance())
        if chance() { value.word = Registration.Word(epoch: big(), outcome: pick([.cleared, .failed], .cleared)) }
        value.processGone = chance()
        return value
    }

    mutating func entry() -> RosterEntry {
        var value = RosterEntry(listed: chance(), proven: chance())
        value.state = pick([.pending, .containing, .cleared, .contained, .owed, .unproven], .pending)
        value.hard = big()
        value.extensions = pick([0, .max], 0)
        value.containmentEnds = big()
        value.said = chance() ? .nothingToClear : nil
        value.details = text()
        value.took = big()
        value.proof = chance() ? pick(Proof.allCases, .pid) : nil
        value.explanation = explanation()
        return value
    }

    mutating func barrier(_ epoch: Epoch) -> Barrier {
        var value = Barrier(
            epoch: epoch, reason: pick(SignOutReason.allCases, .user),
            at: Moment(monotonic: big(), boottime: 0, wall: wall()), policy: .ordinary)
        value.doomed = chance() ? explanation() : nil
        value.browser = chance() ? .clean : nil
        value.shared = chance() ? [Barrier.Check(name: text(), outcome: .failed, explanation: text())] : nil
        value.rejections = rejections()
        value.tokens = tokens(epoch)
        value.nextMode = chance() ? .personal : nil
        value.stage = pick(
            [
                .participants, .closed, .waitingForAgent(isClosed: chance()),
                .quarantined(Barrier.Retries(last: big(), ends: big())),
            ], .participants)
        value.restarts = pick([0, .max], 0)
        return value
    }

    mutating func rejections() -> [Barrier.Rejection] {
        guard chance() else { return [] }
        let error = RejectionCause(rawValue: pick(["StaleEpoch", "TooManyCalls", text()], ""))
        return [Barrier.Rejection(app: chance() ? key() : nil, sender: ":1.2", error: error, count: .max)]
    }

    mutating func tokens(_ epoch: Epoch) -> TokenTally? {
        guard chance() else { return nil }
        return TokenTally(
            epoch: epoch, rows: [TokenTally.Row(app: chance() ? key() : nil, count: .max)], explanation: explanation())
    }

    mutating func device(_ old: Ledger.DeviceRecord) -> Ledger.DeviceRecord {
        var value = old
        value.mode = chance() ? .shared : .personal
        // Above this it is damage, not a count.
        value.nextInstance = min(big(), .greatest)
        value.busID = text()
        value.bootID = text()
        return value
    }

    mutating func receipt(_ turn: Ledger.TurnRecord, ended: Int64? = nil) -> ReceiptRecord {
        ReceiptRecord(
            epoch: turn.epoch, holder: turn.holder, reason: pick(SignOutReason.allCases, .user), started: wall(),
            ended: ended ?? wall(), took: big(), outcome: pick(Outcome.allCases, .cleared),
            participants: [
                ReceiptRecord.Participant(
                    app: key(), proven: chance(), outcome: pick(ParticipantOutcome.allCases, .owed),
                    took: big(), proof: chance() ? pick(Proof.allCases, .pid) : nil, details: text(),
                    explanation: explanation())
            ], debts: [ReceiptRecord.Debt(app: key(), since: big())], browser: .none, browserExplanation: text(),
            shared: [Barrier.Check(name: text(), outcome: .clean)], rejections: rejections(),
            tokens: tokens(turn.epoch), restarts: 1, explanation: explanation(), release: nil)
    }
}

extension Ledger {
    /// The same with its indices in the order of the instances: they are rebuilt when it is read back, and otherwise in
    /// the order of the last changes.
    var inOrder: Ledger {
        var copy = self
        for (instance, registration) in registrations.sorted(by: { $0.key < $1.key }) {
            copy.apply(.registration(instance, nil))
            copy.apply(.registration(instance, registration))
        }
        return copy
    }
}
