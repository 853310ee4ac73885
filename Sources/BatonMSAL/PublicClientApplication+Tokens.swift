import Baton
public import FoundationEssentials

extension PublicClientApplication {
    // MARK: With a page

    /// A token, with a page of the provider where one is needed. While no worker holds the device, this signs the worker
    /// in to all of it.
    ///
    /// Cancelling the task cancels the request.
    public func acquireToken(with parameters: InteractiveTokenParameters) async throws -> AuthenticationResult {
        // Read before anything is awaited: the caller may go on using the parameters.
        let (request, step) = (parameters.request, parameters.webviewParameters.showStep)
        return try await acquireToken(request, step)
    }

    public func acquireToken(forScopes scopes: [String]) async throws -> AuthenticationResult {
        try await acquireToken(TokenRequest(scopes: scopes), nil)
    }

    func acquireToken(
        _ request: TokenRequest, _ step: (@Sendable (SignInStep) async -> Void)?
    ) async throws -> AuthenticationResult {
        try await speakingMSAL {
            let device = try await client.device()
            var request = request
            // What this app removed or signed out is not to come back from memory, nor without the worker.
            if client.hasRemoved { request.forceRefresh = true }
            if client.hasSignedOut, request.prompt != .consent { request.prompt = .login }
            do {
                return try await acquireToken(request, step, from: device)
            } catch let error as CancellationError {
                // In a task of its own: this one is cancelled.
                await Task { try? await device.cancelTokenRequest() }.value
                throw error
            }
        }
    }

    private func acquireToken(
        _ request: TokenRequest, _ step: (@Sendable (SignInStep) async -> Void)?, from device: Device
    ) async throws -> AuthenticationResult {
        if let redirectURI = try await redirectURI(on: device) {
            var own = request
            own.redirectURI = redirectURI
            do {
                return received(try await device.acquireToken(own, step: step))
            } catch let error as BatonError
                where identity.redirectURI.isDefault
                && [.invalidRedirectURI, .redirectSchemeNotRegistered].contains(error.code)
            {
                // The app did not ask for the default, so a device that does not know it takes the answer as it likes.
            }
        }
        return received(try await device.acquireToken(request, step: step))
    }

    /// The address that is asked for: an app's own, and by default none where the device has a browser for its answers.
    private func redirectURI(on device: Device) async throws -> String? {
        guard identity.redirectURI.isDefault else { return identity.redirectURI.text }
        let browser = try await device.deviceInformation().browser
        return browser.isManaged ? nil : identity.redirectURI.text
    }

    // MARK: Without one

    /// A token from memory or by a refresh; `interactionRequired` where a page is needed: call `acquireToken`.
    public func acquireTokenSilent(with parameters: SilentTokenParameters) async throws -> AuthenticationResult {
        let request = parameters.request
        return try await acquireTokenSilent(request)
    }

    public func acquireTokenSilent(
        forScopes scopes: [String], account: ClientAccount
    ) async throws -> AuthenticationResult {
        try await acquireTokenSilent(TokenRequest(scopes: scopes, account: account.account.id))
    }

    func acquireTokenSilent(_ request: TokenRequest) async throws -> AuthenticationResult {
        try await speakingMSAL {
            if let id = request.account {
                if client.isRemoved(id) { throw ClientFault.removedAccount }
            } else if client.hasRemoved {
                throw ClientFault.removedAccount
            }
            return received(try await client.device().acquireTokenSilently(request))
        }
    }

    private func received(_ token: TokenResult) -> AuthenticationResult {
        client.received(token)
        return AuthenticationResult(token)
    }

    // MARK: Answers

    /// Hands over the address that the provider sent a browser to; false when nothing waits for it.
    public func handleResponse(_ url: URL, sourceApplication: String? = nil) async throws -> Bool {
        let text = url.absoluteString
        return try await speakingMSAL {
            try await client.device().handleResponse(url: text, sourceApplication: sourceApplication ?? "")
        }
    }

    /// The same for whatever application of this process waits for it. Waits for the answer.
    @discardableResult
    public static func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool {
        LiveApplications.all.contains { application in
            let matched = try? OnThisThread.run {
                try await application.handleResponse(response, sourceApplication: sourceApplication)
            }
            return matched == true
        }
    }

    /// Cancels what the applications of this process show pages for; false when there was nothing to cancel.
    @discardableResult
    public static func cancelCurrentWebAuthSession() -> Bool {
        LiveApplications.all.count { application in
            (try? OnThisThread.run { try await application.client.device().cancelTokenRequest() }) != nil
        } > 0
    }
}
