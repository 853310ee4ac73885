import BatonContract
import DBus
package import Providers
package import SessionMachine
import Vocabulary

extension Supervisor {
    package func signIn(_ request: SignInRequest, sender: Sender) async -> Answer {
        await ask { call in
            signInRequests[call] = request
            // A provider's page may have another worker at it; PINs come from this page or from a process.
            return .signIn(call, sender, comesFirst: request.isFromPage && provider.kind == .local)
        }
    }

    func authenticate(_ plan: SignInPlan) {
        let attempt = plan.attempt
        guard let request = signInRequests.removeValue(forKey: plan.call) else {
            return post(.signInFailed(attempt, .failed))
        }
        let provider = provider
        // An account without a PIN here has one for the turn.
        let hasTurnPIN = request.unlocks && request.pin != nil && provider.kind == .oidc
        let run = SignInRun(
            attempt: attempt, request: request, holder: plan.holder,
            open: { url async throws(Refusal) in try await self.open(url, of: attempt, again: plan.holder != nil) },
            step: { step in await self.announce(step, of: attempt, to: plan.sender) })
        signIns[attempt] = Task(executorPreference: thread.tasks) {
            do throws(Refusal) {
                await self.signInEnded(
                    attempt,
                    .signInSucceeded(
                        attempt,
                        hasTurnPIN ? try await self.unlock(request, plan.holder) : try await provider.signIn(run)))
            } catch {
                await self.signInEnded(attempt, .signInFailed(attempt, error))
            }
        }
    }

    private func signInEnded(_ attempt: Attempt, _ outcome: Event.Kind) {
        signIns[attempt] = nil
        post(outcome)
    }

    private func open(_ url: String, of attempt: Attempt, again: Bool) async throws(Refusal) {
        // Known before there is a page, so that whatever comes in between has it closed.
        post(.signInUsesBrowser(attempt))
        await drain()
        guard signIns[attempt] != nil, let outlet else { throw .canceled(.byCaller) }
        try await outlet.open(url, SignInPage(again: again))
    }

    private func announce(_ step: SignInStep, of attempt: Attempt, to sender: Sender) {
        // An attempt that was given up has nothing to tell any more.
        if signIns[attempt] != nil { outlet?.step(step, sender) }
    }

    func tellProvider(_ work: @escaping @Sendable (any IdentityProvider) async -> Void) {
        providerWork = Task(executorPreference: thread.tasks) { [provider, providerWork] in
            await providerWork?.value
            await work(provider)
        }
    }

    func signOutAtProvider(_ epoch: Epoch) {
        Task(executorPreference: thread.tasks) { [provider, providerWork] in
            await providerWork?.value
            await self.post(.signedOutAtProvider(epoch, await provider.signOut(epoch)))
        }
    }

    /// Cancels the sign-ins that run and waits until what they brought is put away, for a clean stop.
    package func endSignIns() async {
        let running = signIns.values
        for task in running { task.cancel() }
        for task in running { await task.value }
        await drain()
        await providerWork?.value
    }
}
