import LocalAccounts
import Testing

@Suite struct PINAttemptsTests {
    let start: Int64 = 1_700_000_000_000_000
    let second: Int64 = 1_000_000

    func attempts(wrong: Int) -> PINAttempts {
        var attempts = PINAttempts(username: "ana")
        for _ in 0..<wrong { attempts.failed(at: start) }
        return attempts
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (5, 4), (6, 8), (7, 16)])
    func `after three wrong PINs each try waits twice as long`(wrong: Int, seconds: Int64) {
        var attempts = attempts(wrong: wrong)
        #expect(attempts.begin(at: start) == .check(after: seconds * second))
    }

    @Test func `time that has passed counts against the delay`() {
        var attempts = attempts(wrong: 5)
        #expect(attempts.begin(at: start + second) == .check(after: 3 * second))
        #expect(attempts.begin(at: start + 60 * second) == .check(after: 0))
    }

    @Test func `the eighth wrong PIN locks the account for five minutes`() {
        var attempts = attempts(wrong: 7)
        let locked = attempts.failed(at: start)
        #expect(locked)
        #expect(attempts.begin(at: start) == .locked(remaining: 300 * second))
        #expect(attempts.begin(at: start + 299 * second) == .locked(remaining: second))
        #expect(attempts.begin(at: start + 300 * second) == .check(after: 0))
        #expect(attempts.failures == 0)
    }

    @Test func `tries during the lock do not make it longer`() {
        var attempts = attempts(wrong: 8)
        for _ in 0..<100 { _ = attempts.begin(at: start + second) }
        #expect(attempts.begin(at: start + 300 * second) == .check(after: 0))
    }

    @Test func `the right PIN forgets everything`() {
        var attempts = attempts(wrong: 8)
        attempts.succeeded()
        #expect(attempts.isClean)
        #expect(attempts == PINAttempts(username: "ana"))
    }

    @Test func `a clock that goes back never locks for longer than the rule`() {
        var attempts = attempts(wrong: 8)
        let past = start - 365 * 86_400 * second
        #expect(attempts.begin(at: past) == .locked(remaining: 300 * second))
        #expect(attempts.begin(at: past + 300 * second) == .check(after: 0))
    }

    @Test func `a clock that goes back does not shorten the delay`() {
        var attempts = attempts(wrong: 3)
        #expect(attempts.begin(at: start - 1000 * second) == .check(after: second))
    }

    @Test(arguments: [
        (Int.max, Int64.max, Int64.max), (.min, .min, .min), (0, .max, 0), (8, 0, 0), (3, 0, .max), (-1, 0, .min),
    ]) func `stored nonsense neither traps nor locks for ever`(failures: Int, lockedUntil: Int64, lastFailure: Int64) {
        for now in [0, start, .max, .min] {
            var attempts = PINAttempts(
                username: "ana", failures: failures, lockedUntil: lockedUntil, lastFailure: lastFailure)
            switch attempts.begin(at: now) {
            case .check(let delay): #expect((0...PINAttempts.longestDelay).contains(delay))
            case .locked(let remaining): #expect((1...PINAttempts.lockTime).contains(remaining))
            }
            attempts.failed(at: now)
            _ = attempts.begin(at: now)
            #expect(attempts.lockedUntil >= 0)
        }
    }

    @Test func `stored attempts are the same after a restart`() {
        let before = attempts(wrong: 6)
        var after = PINAttempts(
            username: before.username, failures: before.failures, lockedUntil: before.lockedUntil,
            lastFailure: before.lastFailure)
        #expect(after == before)
        #expect(after.begin(at: start) == .check(after: 8 * second))
    }
}
