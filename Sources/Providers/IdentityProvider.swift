package import BatonContract
package import Identity
package import SessionMachine
package import Settings
package import Vocabulary

/// What knows the workers: all that the supervisor wants of an identity provider.
///
/// A sign-in is cancelled by cancelling its task. It tells who the worker is; whether they may take the device is for the
/// state machine to say, whose answer is `adopt` or `discard`.
package protocol IdentityProvider: Sendable {
    var kind: IdentityKind { get }
    var issuer: String { get }
    var tenant: String { get }

    /// Whether this is a worker of this provider, as far as that can be told without asking it.
    func knows(_ holder: TurnAccount) -> Bool

    /// What the last request to it came to; nil: none was made since the start, or it is not asked over a network.
    var look: ProviderLook? { get }
    /// Why no worker can sign in, as far as it knows; nil: nothing is in the way.
    var problem: String? { get async }
    /// Of local accounts: wrong PINs since the last right ones, and accounts that are locked.
    func wrongPINs() async -> (tries: Int, locked: Int)
    /// Of which accounts they are.
    func accountAttempts() async -> [PINAttemptsStatus]
    /// Has an administrator's word that they were the worker's own mistakes.
    func forgetAttempts(of username: String) async throws(Refusal)

    /// Finds out who the worker is, or refuses.
    func signIn(_ run: SignInRun) async throws(Refusal) -> TurnAccount

    /// The sign-in began that epoch, or proved its holder again.
    func adopt(_ attempt: Attempt, _ epoch: Epoch) async

    /// The sign-in came to nothing.
    func discard(_ attempt: Attempt) async

    /// Tells the provider that the worker has left. Answers within the bounded wait; what is `pending` then is tried
    /// again, and `ProviderNews.told` says what became of it.
    func signOut(_ epoch: Epoch) async -> ProviderReport

    /// The pages of the provider that a worker's browser may come to; nil: there are none, or it cannot say now.
    func browserPages() async -> ProviderPages?

    /// The log-out page to load in the worker's browser, asked for before the tokens of the epoch are gone; nil: there is
    /// none. What became of it is told with `endBrowserLogOut`.
    func beginBrowserLogOut(_ epoch: Epoch) async -> BrowserLogOut?

    /// - Parameter isConfirmed: The page led to its `answer`.
    func endBrowserLogOut(_ epoch: Epoch, isConfirmed: Bool) async

    /// A front-channel log-out came in, inside the browser; false if it is about no worker here.
    func handle(frontChannelFrom issuer: String, session: String) async -> Bool

    /// Whether it gives tokens at all.
    var hasTokens: Bool { get }

    /// A token of that epoch which is there and good; nil: ask `token`.
    func heldToken(_ wish: TokenWish, _ epoch: Epoch) throws(Refusal) -> HeldToken?

    /// A token of that epoch, without any page.
    func token(_ wish: TokenWish, _ epoch: Epoch) async throws(Refusal) -> HeldToken

    /// A redirect came in; false if no sign-in waits for it.
    func handle(response url: String) async -> Bool

    /// Begins what goes on beside sign-ins.
    func start(_ news: ProviderNews, _ state: ProviderStart) async

    /// Takes over settings that change neither the provider nor the client.
    func update(_ settings: Settings) async

    /// Another provider takes its place: only what the old one has still to be told goes on.
    func retire() async

    /// Ends everything; nothing is told to `news` any more.
    func stop() async
}

extension IdentityProvider {
    package var look: ProviderLook? { nil }
    package var problem: String? { nil }
    package func wrongPINs() async -> (tries: Int, locked: Int) { (0, 0) }
    package func accountAttempts() async -> [PINAttemptsStatus] { [] }
    package func forgetAttempts(of username: String) async throws(Refusal) {
        throw .invalidOption("username: this device has no local accounts, so their provider unlocks them")
    }
    package func adopt(_ attempt: Attempt, _ epoch: Epoch) async {}
    package func discard(_ attempt: Attempt) async {}
    package func signOut(_ epoch: Epoch) async -> ProviderReport { ProviderReport(.none) }
    package func browserPages() async -> ProviderPages? { nil }
    package func beginBrowserLogOut(_ epoch: Epoch) async -> BrowserLogOut? { nil }
    package func endBrowserLogOut(_ epoch: Epoch, isConfirmed: Bool) async {}
    package func handle(frontChannelFrom issuer: String, session: String) async -> Bool { false }
    package var hasTokens: Bool { false }
    package func heldToken(_ wish: TokenWish, _ epoch: Epoch) throws(Refusal) -> HeldToken? { nil }
    package func token(_ wish: TokenWish, _ epoch: Epoch) async throws(Refusal) -> HeldToken {
        throw .provider(.localAccounts)
    }
    package func handle(response url: String) async -> Bool { false }
    package func start(_ news: ProviderNews, _ state: ProviderStart) async {}
    package func update(_ settings: Settings) async {}
    package func retire() async {}
    package func stop() async {}
}

/// A log-out at the provider, in the worker's browser.
package struct BrowserLogOut: Sendable {
    /// The page, with its parameters.
    package var url: String
    /// Where the page leads when the worker is signed out there; empty: nowhere.
    package var answer: String
}

/// What a provider says without being asked.
package struct ProviderNews: Sendable {
    /// The turn is over: the provider ended it, or was away for too long. No caller waits for the sign-out, which itself
    /// may have to wait for the provider.
    package var signOut: @Sendable (Epoch, SignOutReason) -> Void
    /// What was `pending` is settled.
    package var told: @Sendable (Epoch, ProviderReport) async -> Void
    /// The turn that runs.
    package var turn: @Sendable () async -> ProviderStart.Turn?
    /// `IdentityProvider.look` has changed.
    package var looked: @Sendable () -> Void

    package init(
        signOut: @escaping @Sendable (Epoch, SignOutReason) -> Void,
        told: @escaping @Sendable (Epoch, ProviderReport) async -> Void,
        turn: @escaping @Sendable () async -> ProviderStart.Turn?, looked: @escaping @Sendable () -> Void = {}
    ) {
        self.looked = looked
        self.signOut = signOut
        self.told = told
        self.turn = turn
    }
}

/// Where the session stood when the supervisor started.
package struct ProviderStart: Sendable {
    package struct Turn: Sendable {
        package var epoch: Epoch
        package var holder: TurnAccount
        /// No sign-out has begun.
        package var isOpen: Bool
        /// The sign-out does not wait for the provider any more.
        package var isTold: Bool

        package init(epoch: Epoch, holder: TurnAccount, isOpen: Bool, isTold: Bool) {
            self.epoch = epoch
            self.holder = holder
            self.isOpen = isOpen
            self.isTold = isTold
        }
    }

    /// The turn that goes on, and whose it is.
    package var turn: Turn?
    /// Every epoch up to this one has ended.
    package var lastEnded: Epoch
    /// What systemd kept of an earlier batond's sessions, the newest first.
    package var kept: [DescriptorStore.Kept] = []

    package init(turn: Turn?, lastEnded: Epoch, kept: [DescriptorStore.Kept] = []) {
        self.turn = turn
        self.lastEnded = lastEnded
        self.kept = kept
    }
}
