import DBus
import Identity
import Logging
package import SessionMachine
import Settings
package import Vocabulary

extension OpenIDProvider {
    /// Turns whose end the provider has not heard of; systemd keeps only so many, and the current one needs its place.
    private static let mostRetries = 8

    package func signOut(_ epoch: Epoch) async -> ProviderReport {
        keeper?.cancel()
        keeper = nil
        guard let session = sessions[epoch]?.session else {
            return ProviderReport(
                .notTold,
                said: "batond was restarted and has no tokens of this turn, so the provider's session ends when "
                    + "it expires")
        }
        let (start, limit) = (ContinuousClock.now, settings.signOutWait)
        var answer = await session.signOut(within: limit)
        if answer.outcome != .signedOut {
            // What the browser shows the provider, its cookie, may end what our word alone does not.
            await waitForBrowserLogOut(epoch, atMost: limit - start.duration(to: .now))
            answer = await session.signOutOutcome ?? answer
        }
        if answer.outcome == .pending { retry(epoch, session) }
        // While the page in the worker's browser is open, it may still prove what is not proven yet.
        if logOutPages[epoch] != nil, answer.outcome != .signedOut {
            late.insert(epoch)
        } else {
            settle(epoch)
        }
        return ProviderReport(answer)
    }

    /// The page in the worker's browser has ended after the sign-out had its answer.
    func settleLate(_ epoch: Epoch, isConfirmed: Bool) async {
        guard late.remove(epoch) != nil else { return }
        let answer = isConfirmed ? await sessions[epoch]?.session.signOutOutcome : nil
        settle(epoch)
        if let answer, answer.outcome != .pending { await news?.told(epoch, ProviderReport(answer)) }
    }

    /// The tokens of the epoch are of no more use, unless the provider has still to be told.
    private func settle(_ epoch: Epoch) {
        if retries[epoch] == nil { forget(epoch) }
    }

    /// Goes on telling the provider, with longer and longer pauses, as long as batond lives.
    func retry(_ epoch: Epoch, _ session: WorkerSession) {
        guard retries[epoch] == nil, let news else { return }
        if retries.count >= Self.mostRetries, let oldest = retries.keys.min() {
            retries.removeValue(forKey: oldest)?.cancel()
            forget(oldest)
            log.error("the provider was never told of the end of a turn", metadata: ["epoch": "\(oldest)"])
            let report = ProviderReport(.notTold, said: "the provider was away for too many turns")
            Task(executorPreference: thread.tasks) { await news.told(oldest, report) }
        }
        let limit = settings.requestTimeout
        // Holds on to this provider also when it has been retired, until all is told.
        retries[epoch] = Task(executorPreference: thread.tasks) {
            var pause = Duration.seconds(2)
            while true {
                guard (try? await self.thread.sleep(for: pause)) != nil else { return }
                pause = min(pause * 2, .seconds(300))
                let answer = await session.retrySignOut(within: limit)
                guard !Task.isCancelled else { return }
                if answer.outcome != .pending {
                    await news.told(epoch, ProviderReport(answer))
                    await self.settled(epoch)
                    return
                }
            }
        }
    }

    private func settled(_ epoch: Epoch) async {
        retries[epoch] = nil
        forget(epoch)
        if isRetired, retries.isEmpty { await stop() }
    }
}

extension ProviderReport {
    init(_ answer: ProviderSignOut) {
        self.init(answer.outcome, said: answer.explanation)
    }
}
