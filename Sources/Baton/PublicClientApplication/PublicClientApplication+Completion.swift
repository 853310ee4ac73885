public import BatonContract
internal import Dispatch

/// The same calls with completion blocks, as Microsoft's tutorials use them.
extension PublicClientApplication {
    public typealias TokenCompletion = @Sendable (AuthenticationResult?, (any Error)?) -> Void

    public func acquireToken(
        with parameters: InteractiveTokenParameters, completionBlock: @escaping TokenCompletion
    ) {
        let (request, step) = (parameters.request, parameters.webviewParameters.showStep)
        complete(on: parameters.completionBlockQueue, completionBlock) { try await self.acquireToken(request, step) }
    }

    public func acquireToken(forScopes scopes: [String], completionBlock: @escaping TokenCompletion) {
        complete(on: nil, completionBlock) { try await self.acquireToken(forScopes: scopes) }
    }

    public func acquireTokenSilent(
        with parameters: SilentTokenParameters, completionBlock: @escaping TokenCompletion
    ) {
        let request = parameters.request
        complete(on: parameters.completionBlockQueue, completionBlock) { try await self.acquireTokenSilent(request) }
    }

    public func acquireTokenSilent(
        forScopes scopes: [String], account: ClientAccount, completionBlock: @escaping TokenCompletion
    ) {
        complete(on: nil, completionBlock) { try await self.acquireTokenSilent(forScopes: scopes, account: account) }
    }

    public func getCurrentAccount(
        with parameters: RequestParameters?,
        completionBlock: @escaping @Sendable (ClientAccount?, ClientAccount?, (any Error)?) -> Void
    ) {
        complete(
            on: parameters?.completionBlockQueue,
            { accounts, error in completionBlock(accounts?.current, accounts?.previous, error) },
            { try await self.getCurrentAccount() })
    }

    /// While nobody can say how the device stands, the information says `unknown` and the error why.
    public func getDeviceInformation(
        with parameters: RequestParameters?,
        completionBlock: @escaping @Sendable (DeviceInformation?, (any Error)?) -> Void
    ) {
        complete(
            on: parameters?.completionBlockQueue,
            { information, error in completionBlock(information ?? DeviceInformation([:]), error) },
            { try await self.deviceInformation })
    }

    public func accountsFromDevice(
        for parameters: AccountEnumerationParameters,
        completionBlock: @escaping @Sendable ([ClientAccount]?, (any Error)?) -> Void
    ) {
        let fits = parameters.filter
        complete(on: parameters.completionBlockQueue, completionBlock) {
            try await self.allAccounts().filter(fits)
        }
    }

    /// An error comes with every sign-out that is no success.
    public func signout(
        with account: ClientAccount, signoutParameters parameters: SignoutParameters,
        completionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let (fromBrowser, wipes) = (parameters.signoutFromBrowser, parameters.wipeAccount)
        complete(
            on: parameters.completionBlockQueue, { success, error in completionBlock(success ?? false, error) },
            {
                let result = try await self.signOut(account, fromBrowser: fromBrowser, wipesAccount: wipes)
                return try speakingMSAL {
                    guard result.success else { throw result.fault }
                    return true
                }
            })
    }

    private func complete<Value: Sendable>(
        on queue: DispatchQueue?, _ block: @escaping @Sendable (Value?, (any Error)?) -> Void,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        // Never the pool: a block may call what waits on its thread.
        let queue = queue ?? DispatchQueue.global()
        Task {
            do {
                let value = try await work()
                queue.async { block(value, nil) }
            } catch {
                queue.async { block(nil, error) }
            }
        }
    }
}
