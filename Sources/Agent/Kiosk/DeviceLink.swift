import BatonContract
import DBus
import Vocabulary

/// What the kiosk asks of the supervisor; the bus adapter provides it.
protocol DeviceLink: Sendable {
    /// An app is about to be started with this token.
    func launched(_ app: String, _ token: OwnedDescriptor) async throws
    func signIn(username: String, pin: String) async -> WorkerLine
    func signInAtProvider() async -> WorkerLine
    /// - Parameter show: What has to be done on the other device.
    func signInWithPhone(show: @escaping @Sendable (PhoneSignIn) async -> Void) async -> WorkerLine
    func cancelSignIn() async -> WorkerLine
    /// - Parameter pin: Chosen for this turn; empty: none is.
    func lock(pin: String) async -> WorkerLine
    func lockWithoutPIN() async -> WorkerLine
    func unlock(pin: String) async -> WorkerLine
    /// - Parameter show: What has to be done on the other device.
    func unlockByPhone(show: @escaping @Sendable (SignInStep) async -> Void) async -> WorkerLine
    func keepSignedIn() async -> WorkerLine
    func signOut(_ reason: SignOutReason, epoch: Epoch?) async -> WorkerLine
    /// False if no sign-in waits for it.
    func handleResponse(_ url: String) async -> Bool
    func providerSignedOut(issuer: String, session: String) async -> Bool
    /// Whether the start page is on the screen of a free device.
    func startPage(isShown: Bool) async
    /// The last input of that turn, CLOCK_BOOTTIME in microseconds, from which the device is idle; nil: there is input again.
    func idle(_ epoch: Epoch, since: UInt64?) async
    /// What was said to `Configure` is not so any more.
    func hasChanged(_ state: AgentState) async
    func information() async -> DeviceInformation?
    /// The receipt of a turn; nil if the turn has none yet or batond does not answer.
    func receipt(_ epoch: Epoch) async -> Receipt?
    /// The accounts of so many turns that have ended, the newest first.
    func recentAccounts(_ count: UInt32) async -> [Account]
    /// The apps that a sign-out waits for, by their ids, each once.
    func unclearedApps() async -> [String]
    func ask(_ query: DeveloperQuery) async -> DeveloperQuery.Answer
    /// Who holds the device.
    func account() async -> Account?
}
