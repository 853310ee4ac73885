package import BatonContract
package import DBus
package import LocalAccounts
import Log
package import Logging
import Secrets
package import SessionMachine
package import Settings
package import Vocabulary

/// Signs in the accounts of the settings file with a PIN.
///
/// Everything wrong is answered alike and after the same work, so that a guesser learns neither user names nor how
/// close they were.
package actor LocalProvider: IdentityProvider {
    package nonisolated let kind = IdentityKind.local
    package nonisolated let issuer = LocalAccount.issuer
    package nonisolated let tenant = ""

    /// It only waits: what computes or writes does so elsewhere.
    private nonisolated let thread: BusThread
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let directory: AccountDirectory
    private let journal: any PINAttemptsStore
    private let clock: Clock
    private let log: Logger
    private let names: Settings.Log.Names
    /// Whether the last try could be written.
    package private(set) var problem: String?
    /// By the name under which they are written.
    private var attempts: [String: PINAttempts] = [:]
    /// One try at a time for each user name: parallel guesses would all be judged before the first is counted.
    private var busy: Set<String> = []
    /// Names that no account has are remembered too, but only so many, and not on disk.
    private static let strangers = 256
    /// Whose row on disk is written for them all the same, or the time that it takes would tell which names have accounts.
    /// No account can be called so.
    private static let stranger = "*"

    package init(
        accounts: [LocalAccount], thread: BusThread, journal: any PINAttemptsStore, clock: Clock, log: Logger,
        names: Settings.Log.Names = .masked
    ) async throws {
        self.names = names
        self.thread = thread
        directory = AccountDirectory(accounts)
        self.journal = journal
        self.clock = clock
        self.log = log
        for row in try await journal.storedPINAttempts() where row.username != Self.stranger {
            attempts[row.username] = row
        }
    }

    package func signIn(_ run: SignInRun) async throws(Refusal) -> TurnAccount {
        let request = run.request
        guard let username = request.username, !username.isEmpty else {
            throw .invalidOption("username: name the account to sign in")
        }
        guard LocalAccount.isUsername(username) else { throw .invalidOption("username: this is not a user name") }
        // Before the PIN: a person who does not hold the device learns nothing of any PIN meanwhile.
        if let holder = run.holder, holder.id != Self.prefix + username { throw .accountMismatch }
        let key = Self.key(username, request.isFromPage)
        guard busy.insert(key).inserted else { throw .signingIn }
        defer { busy.remove(key) }
        return try await check(username, key, request.pin)
    }

    /// The tries at the start page and those of other callers are counted apart: a process would else lock a worker out of
    /// the page. No account has a slash in its name.
    private static func key(_ username: String, _ isFromPage: Bool) -> String {
        isFromPage ? username : username + other
    }

    private static let other = "/other"
    private static let prefix = LocalAccount.issuer + "#"

    /// How many PINs were wrong since the last right one of each account, and how many accounts are locked, for either kind
    /// of caller.
    package func wrongPINs() -> (tries: Int, locked: Int) {
        let now = clock.now().wall
        let known = attempts.values.filter { directory[Self.account($0.username)] != nil }
        return (known.reduce(0) { $0 + $1.failures }, known.count { $0.lockedUntil > now })
    }

    package func accountAttempts() -> [PINAttemptsStatus] {
        let now = clock.now().wall
        return attempts.values.filter { directory[Self.account($0.username)] != nil && !$0.isClean }.map { record in
            let isLocked = record.lockedUntil > now
            return PINAttemptsStatus(
                username: Self.account(record.username), isFromStartPage: !record.username.hasSuffix(Self.other),
                wrongPINs: UInt32(clamping: record.failures), lockedUntil: isLocked ? record.lockedUntil : 0)
        }
        .filter { $0.wrongPINs > 0 || $0.lockedUntil > 0 }
        .sorted { ($0.username, $0.isFromStartPage ? 0 : 1) < ($1.username, $1.isFromStartPage ? 0 : 1) }
    }

    package func forgetAttempts(of username: String) async throws(Refusal) {
        guard directory[username] != nil else {
            throw .invalidOption("username: no account has this name; batonctl account list shows them")
        }
        for isFromPage in [true, false] {
            var record = PINAttempts(username: Self.key(username, isFromPage))
            record.succeeded()
            try await remember(record)
        }
    }

    private static func account(_ key: String) -> String {
        key.hasSuffix(other) ? String(key.dropLast(other.count)) : key
    }

    /// An account that the administrator has taken out of the settings holds no device any more.
    package nonisolated func knows(_ holder: TurnAccount) -> Bool {
        holder.id.hasPrefix(Self.prefix) && directory[String(holder.id.dropFirst(Self.prefix.count))] != nil
    }

    private func check(_ username: String, _ key: String, _ pin: Secret?) async throws(Refusal) -> TurnAccount {
        var record = attempts[key] ?? PINAttempts(username: key)
        switch record.begin(at: clock.now().wall) {
        case .locked(let remaining):
            try await remember(record)
            _ = await directory.check(username: username, pin: nil)
            throw .lockedOut(seconds: UInt64(max(1, (remaining + 999_999) / 1_000_000)))
        case .check(let delay):
            if delay > 0 {
                do {
                    try await thread.sleep(for: .microseconds(delay))
                } catch {
                    throw .canceled(.byCaller)
                }
                // An administrator may have had them forgotten meanwhile.
                record = attempts[key] ?? PINAttempts(username: key)
            }
        }
        // Counted before it is checked, so that killing the daemon in between gains nothing.
        let isLocked = record.failed(at: clock.now().wall)
        try await remember(record)
        guard let account = await directory.check(username: username, pin: pin) else {
            tell(record, isLocked)
            throw .wrongCredentials
        }
        record.succeeded()
        try await remember(record)
        return TurnAccount(
            id: account.id,
            attributes: [
                "username": account.username, "name": account.name, "locale": account.locale ?? "",
                "keyboard": account.keyboard?.text ?? "", "environment": LocalAccount.issuer,
            ].filter { !$0.value.isEmpty })
    }

    private func tell(_ record: PINAttempts, _ isLocked: Bool) {
        let name = Self.account(record.username)
        let details: Logger.Metadata = [
            "account": "\(names == .plain ? name : MaskedName.of(name))",
            "tries": "\(isLocked ? PINAttempts.limit : record.failures)",
            "caller": "\(record.username.hasSuffix(Self.other) ? "other" : "start page")",
        ]
        if isLocked {
            log.tell(.accountLocked, .error, "an account is locked after wrong PINs", details)
        } else {
            log.tell(.wrongPIN, .warning, "a user name or PIN was wrong", details)
        }
    }

    private func remember(_ record: PINAttempts) async throws(Refusal) {
        if record.isClean { attempts[record.username] = nil } else { attempts[record.username] = record }
        var stored = record
        if directory[Self.account(record.username)] == nil {
            let strangers = attempts.keys.filter { directory[Self.account($0)] == nil }
            if strangers.count > Self.strangers, let first = strangers.min() { attempts[first] = nil }
            stored = PINAttempts(
                username: Self.stranger, failures: record.failures, lockedUntil: record.lockedUntil,
                lastFailure: record.lastFailure)
        }
        do {
            try await journal.store(stored)
            problem = nil
        } catch {
            problem = "the journal cannot be written, so no worker can sign in; see the log of batond"
            log.error("PIN attempts cannot be written", metadata: ["error": "\(error)"])
            throw .journalFailed
        }
    }
}
