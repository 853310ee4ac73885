import BatonContract
import DBus
import Vocabulary

@testable import Agent

/// A batond that answers nothing.
struct NoLink: DeviceLink {
    func launched(_ app: String, _ token: OwnedDescriptor) async throws {}
    func signIn(username: String, pin: String) async -> String { "" }
    func signInAtProvider() async -> String { "" }
    func cancelSignIn() async -> String { "" }
    func keepSignedIn() async -> String { "" }
    func signOut(_ reason: SignOutReason, epoch: Epoch?) async -> String { "" }
    func handleResponse(_ url: String) async -> Bool { false }
    func providerSignedOut(issuer: String, session: String) async -> Bool { false }
    func startPage(isShown: Bool) async {}
    func idle(_ epoch: Epoch, since: UInt64?) async {}
    func information() async -> DeviceInformation? { nil }
    func account() async -> Account? { nil }
}
