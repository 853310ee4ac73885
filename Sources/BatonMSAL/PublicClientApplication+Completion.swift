public import Baton
import Dispatch

/// The same calls with completion blocks, as Microsoft's tutorials use them.
///
/// A block that is written on the main actor, or on another, runs there; any other runs on the queue of the parameters, by
/// default on a global one.
extension PublicClientApplication {
    public typealias TokenCompletion = @isolated(any) @Sendable (AuthenticationResult?, (any Error)?) -> Void

    public func acquireToken(
        with parameters: InteractiveTokenParameters, @_inheritActorContext completionBlock: @escaping TokenCompletion
    ) {
        let (request, step) = (parameters.request, parameters.webviewParameters.showStep)
        complete(on: parameters.completionBlockQueue, { await completionBlock($0, $1) }) {
            try await self.acquireToken(request, step)
        }
    }

    public func acquireToken(
        forScopes scopes: [String], @_inheritActorContext completionBlock: @escaping TokenCompletion
    ) {
        complete(on: nil, { await completionBlock($0, $1) }) { try await self.acquireToken(forScopes: scopes) }
    }

    public func acquireTokenSilent(
        with parameters: SilentTokenParameters, @_inheritActorContext completionBlock: @escaping TokenCompletion
    ) {
        let request = parameters.request
        complete(on: parameters.completionBlockQueue, { await completionBlock($0, $1) }) {
            try await self.acquireTokenSilent(request)
        }
    }

    public func acquireTokenSilent(
        forScopes scopes: [String], account: ClientAccount,
        @_inheritActorContext completionBlock: @escaping TokenCompletion
    ) {
        complete(on: nil, { await completionBlock($0, $1) }) {
            try await self.acquireTokenSilent(forScopes: scopes, account: account)
        }
    }

    public func getCurrentAccount(
        with parameters: RequestParameters?,
        @_inheritActorContext completionBlock:
            @escaping @isolated(any) @Sendable (ClientAccount?, ClientAccount?, (any Error)?) -> Void
    ) {
        complete(
            on: parameters?.completionBlockQueue,
            { accounts, error in await completionBlock(accounts?.current, accounts?.previous, error) },
            { try await self.getCurrentAccount() })
    }

    /// While the device does not answer, there is no information, and the error says why: treat the device as shared.
    public func getDeviceInformation(
        with parameters: RequestParameters?,
        @_inheritActorContext completionBlock:
            @escaping @isolated(any) @Sendable (DeviceInformation?, (any Error)?) -> Void
    ) {
        complete(on: parameters?.completionBlockQueue, { await completionBlock($0, $1) }) {
            try await self.deviceInformation
        }
    }

    public func accountsFromDevice(
        for parameters: AccountEnumerationParameters,
        @_inheritActorContext completionBlock:
            @escaping @isolated(any) @Sendable ([ClientAccount]?, (any Error)?) -> Void
    ) {
        let fits = parameters.filter
        complete(on: parameters.completionBlockQueue, { await completionBlock($0, $1) }) {
            try await self.allAccounts().filter(fits)
        }
    }

    /// An error comes with every sign-out that is no success.
    public func signout(
        with account: ClientAccount, signoutParameters parameters: SignoutParameters,
        @_inheritActorContext completionBlock: @escaping @isolated(any) @Sendable (Bool, (any Error)?) -> Void
    ) {
        let (fromBrowser, wipes) = (parameters.signoutFromBrowser, parameters.wipeAccount)
        complete(
            on: parameters.completionBlockQueue, { success, error in await completionBlock(success ?? false, error) },
            {
                let result = try await self.signOut(account, fromBrowser: fromBrowser, wipesAccount: wipes)
                return try speakingMSAL {
                    guard result.success else { throw result.fault }
                    return true
                }
            })
    }

    private func complete<Value: Sendable>(
        on queue: DispatchQueue?, _ block: @escaping @Sendable (Value?, (any Error)?) async -> Void,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        // Never the pool: a block may call what waits on its thread.
        let blocks = QueueExecutor(queue: queue ?? DispatchQueue.global())
        Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await work())
            } catch {
                result = .failure(error)
            }
            await withTaskExecutorPreference(blocks) {
                switch result {
                case .success(let value): await block(value, nil)
                case .failure(let error): await block(nil, error)
                }
            }
        }
    }
}

/// Runs what is on no actor on a queue.
private final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
