internal import DBus
internal import LocalAccounts
internal import Logging
internal import Secrets
internal import Supervision

/// Signs in the accounts of the settings file with a PIN.
///
/// Everything wrong is answered alike and after the same work, so that a guesser learns neither user names nor how
/// close they were.
actor LocalProvider: IdentityProvider {
    nonisolated let kind = "local"
    nonisolated let issuer = LocalAccount.issuer
    nonisolated let tenant = ""

    /// It only waits: what computes or writes does so elsewhere.
    private nonisolated let thread: BusThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let directory: AccountDirectory
    private let journal: any SessionJournal
    private let clock: Clock
    private let log: Logger
    private var attempts: [String: PINAttempts] = [:]
    /// One try at a time for each user name: parallel guesses would all be judged before the first is counted.
    private var busy: Set<String> = []
    /// Names that no account has are remembered too, but only so many, and not on disk.
    private static let strangers = 256
    /// Whose row on disk is written for them all the same, or the time that it takes would tell which names have accounts.
    /// No account can be called so.
    private static let stranger = "*"

    init(
        accounts: [LocalAccount], thread: BusThread, journal: any SessionJournal, clock: Clock, log: Logger
    ) async throws {
        self.thread = thread
        directory = AccountDirectory(accounts)
        self.journal = journal
        self.clock = clock
        self.log = log
        for row in try await journal.storedPINAttempts() where row.username != Self.stranger {
            attempts[row.username] = row
        }
    }

    func signIn(_ run: SignInRun) async throws(Refusal) -> Holder {
        let request = run.request
        guard let username = request.username, !username.isEmpty else {
            throw .invalidOption("username: say who signs in")
        }
        guard LocalAccount.isUsername(username) else { throw .invalidOption("username: this is not a user name") }
        guard busy.insert(username).inserted else { throw .signingIn }
        defer { busy.remove(username) }
        return try await check(username, request.pin)
    }

    /// An account that the administrator has taken out of the settings holds no device any more.
    nonisolated func knows(_ holder: Holder) -> Bool {
        let prefix = LocalAccount.issuer + "#"
        return holder.id.hasPrefix(prefix) && directory[String(holder.id.dropFirst(prefix.count))] != nil
    }

    private func check(_ username: String, _ pin: Secret?) async throws(Refusal) -> Holder {
        var record = attempts[username] ?? PINAttempts(username: username)
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
            }
        }
        // Counted before it is checked, so that killing the daemon in between gains nothing.
        record.failed(at: clock.now().wall)
        try await remember(record)
        guard let account = await directory.check(username: username, pin: pin) else { throw .wrongCredentials }
        record.succeeded()
        try await remember(record)
        return Holder(
            id: account.id,
            attributes: [
                "username": account.username, "name": account.name, "locale": account.locale ?? "",
                "environment": LocalAccount.issuer,
            ].filter { !$0.value.isEmpty })
    }

    private func remember(_ record: PINAttempts) async throws(Refusal) {
        if record.isClean { attempts[record.username] = nil } else { attempts[record.username] = record }
        var stored = record
        if directory[record.username] == nil {
            let strangers = attempts.keys.filter { directory[$0] == nil }
            if strangers.count > Self.strangers, let first = strangers.min() { attempts[first] = nil }
            stored = PINAttempts(
                username: Self.stranger, failures: record.failures, lockedUntil: record.lockedUntil,
                lastFailure: record.lastFailure)
        }
        do {
            try await journal.store(stored)
        } catch {
            log.error("PIN attempts cannot be written", metadata: ["error": "\(error)"])
            throw .journalFailed
        }
    }
}
