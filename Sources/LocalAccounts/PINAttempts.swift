/// How often one account's PIN was wrong, and what follows from it: slower after 3, locked for 5 minutes after 8.
///
/// The fields are plain, to be stored: a restart forgives nothing. Times are Unix time in microseconds, since they
/// outlive the boot; a clock that is set back never makes a worker wait longer than the rule says.
///
/// The order for each try: `begin`, wait, `failed` and store, check the PIN, and `succeeded` and store when it was
/// right. Who is counted before the check gains nothing by killing the daemon or leaving the bus during it.
public struct PINAttempts: Sendable, Hashable {
    /// Wrong PINs in a row that cost nothing.
    public static let free = 3
    /// The wrong PIN in a row that locks the account.
    public static let limit = 8
    /// How long a locked account stays locked, in microseconds.
    public static let lockTime: Int64 = 300_000_000
    /// The longest delay before an answer, in microseconds.
    public static let longestDelay: Int64 = 16_000_000

    public let username: String
    /// Wrong PINs since the last right one or the last lock.
    public private(set) var failures: Int
    /// When the lock ends; 0: not locked.
    public private(set) var lockedUntil: Int64
    /// When the last PIN was wrong; 0: never.
    public private(set) var lastFailure: Int64

    /// Takes any stored values; senseless ones are read as the nearest sensible.
    public init(username: String, failures: Int = 0, lockedUntil: Int64 = 0, lastFailure: Int64 = 0) {
        self.username = username
        self.failures = min(max(failures, 0), Self.limit)
        self.lockedUntil = max(lockedUntil, 0)
        self.lastFailure = max(lastFailure, 0)
    }

    /// What to do with a try.
    public enum Verdict: Sendable, Hashable {
        /// Check the PIN after waiting so many microseconds (0: at once).
        case check(after: Int64)
        /// Do not check; the lock ends in so many microseconds. The caller still spends the time of a check.
        case locked(remaining: Int64)
    }

    /// Judges a try before its PIN is looked at. Store the value when it has changed.
    public mutating func begin(at now: Int64) -> Verdict {
        let now = max(now, 0)
        if lockedUntil > 0 {
            let (remaining, overflow) = lockedUntil.subtractingReportingOverflow(now)
            if overflow || remaining > Self.lockTime {
                // The clock was set back: no account is locked for longer than the rule says.
                lockedUntil = Self.adding(Self.lockTime, to: now)
                return .locked(remaining: Self.lockTime)
            }
            if remaining > 0 {
                return .locked(remaining: remaining)
            }
            lockedUntil = 0
            failures = 0
        }
        let delay = Self.delay(after: failures)
        guard delay > 0 else { return .check(after: 0) }
        let (elapsed, overflow) = now.subtractingReportingOverflow(lastFailure)
        // A clock before the last failure tells nothing about the time that passed, so the whole delay counts.
        let waited = overflow || elapsed < 0 ? 0 : elapsed
        return .check(after: max(delay - waited, 0))
    }

    /// Counts a wrong PIN; true when it locked the account. Store the value before the check.
    @discardableResult
    public mutating func failed(at now: Int64) -> Bool {
        let now = max(now, 0)
        lastFailure = now
        failures = min(failures + 1, Self.limit)
        guard failures >= Self.limit else { return false }
        failures = 0
        lockedUntil = Self.adding(Self.lockTime, to: now)
        return true
    }

    /// Forgets everything after a right PIN.
    public mutating func succeeded() {
        failures = 0
        lockedUntil = 0
        lastFailure = 0
    }

    /// Whether there is anything to remember.
    public var isClean: Bool { failures == 0 && lockedUntil == 0 }

    /// The delay before the next check, in microseconds: 1, 2, 4, 8, 16 seconds after 3 to 7 wrong PINs.
    public static func delay(after failures: Int) -> Int64 {
        guard failures >= free else { return 0 }
        return min(Int64(1_000_000) << min(failures - free, 20), longestDelay)
    }

    private static func adding(_ time: Int64, to now: Int64) -> Int64 {
        let (sum, overflow) = now.addingReportingOverflow(time)
        return overflow ? .max : sum
    }
}

extension PINAttempts: Codable {
    private enum CodingKeys: String, CodingKey {
        case username, failures
        case lockedUntil = "locked-until"
        case lastFailure = "last-failure"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            username: try values.decode(String.self, forKey: .username),
            failures: try values.decode(Int.self, forKey: .failures),
            lockedUntil: try values.decode(Int64.self, forKey: .lockedUntil),
            lastFailure: try values.decode(Int64.self, forKey: .lastFailure))
    }
}
