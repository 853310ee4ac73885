public import BatonContract
import DBus

/// Tokens are for apps that take part: call `participate` on the same device before, and they are asked for on the
/// connection that it registers on.
extension Device {
    /// How long a token waits for the app's registration, and for what it has to clear first.
    private static let registrationLimit: Duration = .seconds(25)

    /// A token for the worker who holds the device, with a page of the provider where one is needed; however long the
    /// worker takes, since batond bounds the time. With no worker signed in, this signs the worker in to the device.
    ///
    /// Cancelling the task stops waiting and nothing else; see `cancelTokenRequest()`.
    /// - Parameter request: Which scopes, and how the provider asks the worker.
    /// - Parameter step: Told what the worker has to do; nil: pages that are this app's to open open in the browser that
    ///   the desktop names.
    public func acquireToken(
        _ request: TokenRequest = TokenRequest(), step: (@Sendable (SignInStep) async -> Void)? = nil
    ) async throws -> TokenResult {
        let connection = try await tokenConnection()
        return try await connection.tellingSteps(step ?? { await PageOpener.follow($0) }) {
            try await Self.token(Tokens.acquireToken, request, on: connection, timeout: nil)
        }
    }

    /// The same without any page: from memory, or by a refresh.
    ///
    /// - Throws: `BatonError.interactionRequired` where a page is needed: call `acquireToken`. `providerUnreachable` while
    ///   the provider cannot be asked.
    public func acquireTokenSilently(_ request: TokenRequest = TokenRequest()) async throws -> TokenResult {
        let connection = try await tokenConnection()
        return try await Self.token(Tokens.acquireTokenSilently, request, on: connection, timeout: .seconds(60))
    }

    /// Cancels what `acquireToken` waits for.
    public func cancelTokenRequest() async throws {
        try await ownConnection().ask(Device1.cancelSignIn, ())
    }

    /// The app's own; without an app, this device's.
    func ownConnection() async throws -> Connection { try await memberConnection() ?? connection }

    private func tokenConnection() async throws -> Connection {
        if let own = try await memberConnection() { return own }
        // Where batond is missing, that comes first.
        _ = try await requireDeviceMode()
        throw BatonError(.notRegistered, "Only apps that take part get tokens: call participate on this Device first.")
    }

    private func memberConnection() async throws -> Connection? {
        try await membership.connection(atMost: Self.registrationLimit) { _ = try await requireDeviceMode() }
    }

    /// An error comes with its details, which are a call of their own.
    private static func token(
        _ method: Method<VariantDictionary, VariantDictionary>, _ request: TokenRequest, on connection: Connection,
        timeout: Duration?
    ) async throws -> TokenResult {
        do {
            let answer = try await connection.ask(method, request.dictionary, timeout: timeout)
            guard let result = TokenResult(answer) else { throw DeviceError.unexpected("an answer without a token") }
            return result
        } catch let error as BatonError {
            guard let id = CorrelationID.at(endOf: error.message) else { throw error }
            // The error counts also if batond has just been restarted and knows nothing of it any more.
            let known = try? await connection.ask(Tokens.getErrorDetails, id, timeout: .seconds(5))
            throw error.with(details: known ?? TokenErrorDetails(correlationID: id).dictionary)
        }
    }
}

extension Connection {
    /// Does the work while `step` hears what the worker has to do, one step after the other; cancelled with the work's end.
    nonisolated func tellingSteps<Value: Sendable>(
        _ step: @escaping @Sendable (SignInStep) async -> Void, _ work: () async throws -> Value
    ) async throws -> Value {
        // Before the call, or the first step could come unheard. The bus brings only those that are meant for us.
        let steps = try await translating {
            try await subscribe(to: Device1.signInStep, from: Device1.busName, at: Device1.path, limit: 64)
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await signal in steps {
                        if let next = SignInStep(signal.values) { await step(next) }
                    }
                } catch {
                    // The bus is lost; the call says so itself.
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }
}
