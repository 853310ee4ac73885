public import BatonContract
public import DBus

extension Device {
    /// Signs a worker in with a local account.
    ///
    /// Cancelling the task stops waiting and nothing else; see `cancelSignIn()`.
    /// - Parameter username: The account's user name in the device's settings.
    /// - Parameter pin: A pipe, or a memory file sealed against write, grow and shrink, with the PIN.
    public func signIn(
        username: String, pin: OwnedDescriptor? = nil
    ) async throws -> (epoch: Epoch, account: Account) {
        try await signIn(LocalSignIn(username: username, pin: pin).dictionary)
    }

    /// Signs a worker in at the identity provider and returns when that is done, however long the worker takes; batond
    /// bounds the time.
    ///
    /// Cancelling the task stops waiting and nothing else; see `cancelSignIn()`.
    /// - Parameter options: How the provider asks the worker.
    /// - Parameter step: Told what the worker has to do, one step after the other; cancelled when the sign-in is done.
    /// - Throws: `BatonError.userCanceled` if a caller cancelled it, the time was over, or the worker refused at the
    ///   provider; its text says which.
    public func signIn(
        _ options: ProviderSignIn, step: @escaping @Sendable (SignInStep) async -> Void
    ) async throws -> (epoch: Epoch, account: Account) {
        try await connection.tellingSteps(step) { try await signIn(options.dictionary) }
    }

    private func signIn(_ options: VariantDictionary) async throws -> (epoch: Epoch, account: Account) {
        let (epoch, dictionary) = try await call(Device1.signIn, options, timeout: nil)
        guard let account = Account(dictionary) else { throw DeviceError.unexpected("a sign-in without an account") }
        return (epoch, account)
    }

    /// Cancels the sign-in that this connection asked for; an administrator may cancel any.
    public func cancelSignIn() async throws {
        try await call(Device1.cancelSignIn)
    }

    /// Hands over the address that the provider sent a browser to.
    ///
    /// - Parameter url: The whole address, with what it carries; it counts once.
    /// - Parameter sourceApplication: The app that received it, or empty.
    /// - Returns: Whether something waited for it.
    public func handleResponse(url: String, sourceApplication: String = "") async throws -> Bool {
        try await call(Tokens.handleResponse, (url, sourceApplication))
    }
}
