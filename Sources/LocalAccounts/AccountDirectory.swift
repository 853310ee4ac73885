import LinuxSystem
public import Secrets

/// The local accounts by user name, and the check of a PIN that tells a guesser nothing.
public struct AccountDirectory: Sendable {
    private let accounts: [String: LocalAccount]
    private let stranger: PINHash

    /// Of accounts with the same user name the first counts.
    ///
    /// An unknown user name costs as much as the dearest account. Accounts of other parameters can be told apart by
    /// time, so `batonctl` writes all of them with the standard ones.
    public init(_ accounts: [LocalAccount]) {
        self.accounts = Dictionary(accounts.map { ($0.username, $0) }, uniquingKeysWith: { first, _ in first })
        let dearest = accounts.compactMap { $0.pin?.parameters }.max { $0.work < $1.work }
        stranger = .unmatchable(parameters: dearest ?? .standard)
    }

    public subscript(username: String) -> LocalAccount? { accounts[username] }

    /// The account, when the user name and the PIN are right. Every other answer is nil after the same work: unknown
    /// name, account without PIN, no PIN given, wrong PIN. Runs on a thread of its own and cannot be cancelled.
    public func check(username: String, pin: Secret?) async -> LocalAccount? {
        let account = accounts[username]
        let hash = account?.pin ?? stranger
        let candidate = pin ?? Secret([])
        let right = await OwnThread.runAlways { hash.verify(pin: candidate) }
        return right ? account : nil
    }
}

extension ScryptParameters {
    fileprivate var work: Int { (blockSize << logRounds) * parallelism }
}
