import BatonContract
import DBus
import Synchronization
import Vocabulary

@testable import Agent

/// A batond that answers nothing but what it is given.
struct NoLink: DeviceLink {
    var holder: Account?
    var ended: Receipt?
    var uncleared: [String] = []
    var known: DeviceInformation?
    /// Notes what it is told; nil: it does not listen.
    var heard: Heard?
    /// Before a developer's question is answered.
    var asked: (@Sendable (DeveloperQuery) async -> Void)?

    func launched(_ app: String, _ token: OwnedDescriptor) async throws {}
    func signIn(username: String, pin: String) async -> WorkerLine { .none }
    func signInAtProvider() async -> WorkerLine { .none }
    func signInWithPhone(show: @escaping @Sendable (PhoneSignIn) async -> Void) async -> WorkerLine { .none }
    func cancelSignIn() async -> WorkerLine { .none }
    func lock(pin: String) async -> WorkerLine { .none }
    func lockWithoutPIN() async -> WorkerLine { .none }
    func unlock(pin: String) async -> WorkerLine { .none }
    func unlockByPhone(show: @escaping @Sendable (SignInStep) async -> Void) async -> WorkerLine { .none }
    func keepSignedIn() async -> WorkerLine { .none }
    func signOut(_ reason: SignOutReason, epoch: Epoch?) async -> WorkerLine { .none }
    func handleResponse(_ url: String) async -> Bool { false }
    func providerSignedOut(issuer: String, session: String) async -> Bool { false }
    func startPage(isShown: Bool) async {}
    func idle(_ epoch: Epoch, since: UInt64?) async { heard?.add(idle: since) }
    func hasChanged(_ state: AgentState) async { heard?.add(state) }
    func information() async -> DeviceInformation? { known }
    func receipt(_ epoch: Epoch) async -> Receipt? { ended }
    func recentAccounts(_ count: UInt32) async -> [Account] { [] }
    func unclearedApps() async -> [String] { uncleared }
    func ask(_ query: DeveloperQuery) async -> DeveloperQuery.Answer {
        await asked?(query)
        return .init(epoch: 1, current: holder)
    }
    func account() async -> Account? { holder }
}

extension NoLink {
    /// What an agent told batond of its session.
    final class Heard: Sendable {
        private let told = Mutex<(idle: [UInt64?], states: [AgentState])>(([], []))

        var idle: [UInt64?] { told.withLock(\.idle) }
        var states: [AgentState] { told.withLock(\.states) }

        func add(idle since: UInt64?) { told.withLock { $0.idle.append(since) } }
        func add(_ state: AgentState) { told.withLock { $0.states.append(state) } }
    }
}
