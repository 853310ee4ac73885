/// Somebody who can sign in at the provider of a test.
public struct ProviderAccount: Sendable, Hashable {
    public let username: String
    public let password: String
    public let name: String

    public init(username: String, password: String, name: String) {
        self.username = username
        self.password = password
        self.name = name
    }
}

/// The worker's browser, and the worker before it: goes through the provider's pages as a person would.
///
/// It never calls an app: what it finds on the way to one it returns.
public protocol ProviderBrowser: Sendable {
    /// Opens a sign-in's address, signs in where the provider asks, consents, and returns the redirect to the app.
    func signIn(at url: String, as account: ProviderAccount) async throws -> String

    /// Opens the address of a device code as the worker does on their own phone.
    ///
    /// - Parameter approves: False: the worker says that this is not their device.
    func answerDevice(at url: String, as account: ProviderAccount, approves: Bool) async throws

    /// Opens a log-out page, confirms, and returns where it leads in the end; nil: nowhere.
    func signOut(at url: String) async throws -> String?
}
