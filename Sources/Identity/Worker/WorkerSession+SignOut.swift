import Secrets
import Vocabulary

extension WorkerSession {
    private static let backgroundLimit: Duration = .seconds(10)

    /// Ends the session here at once and tells the provider, for at most `limit`.
    ///
    /// From now on `accessToken` throws `canceled`, and an answer that comes later is dropped.
    public func signOut(within limit: Duration) async -> ProviderSignOut {
        close()
        return await tell(within: limit)
    }

    /// Tells the provider what it was not reached for so far; the same answer again when there is nothing.
    public func retrySignOut(within limit: Duration) async -> ProviderSignOut {
        await signOut(within: limit)
    }

    /// What the provider knows so far; nil before the sign-out.
    public var signOutOutcome: ProviderSignOut? { debt?.outcome }

    /// The provider's log-out page, in the worker's browser, led back to our address: its session has ended.
    public func endedInBrowser() { end(.browser) }

    /// The provider's signed notice says that its session has ended.
    public func endedByNotice() { end(.notice) }

    private func end(_ proof: SignOutDebt.Evidence) {
        ending = proof
        debt?.end(proof)
    }

    /// Drops a sign-in that did not take the device; its tokens are revoked in the background.
    public func discard() {
        guard !isClosed else { return }
        let tokens = holdings.tokens(now: party.now)
        close()
        debt = nil
        party.forget(tokens, within: Self.backgroundLimit)
    }

    /// The provider's log-out page for a browser; nil when it has none or cannot say now. Works after sign-out too.
    public func logoutURL(state: String) async -> String? {
        guard let url = try? await party.logoutURL(idToken: isClosed ? debt?.idToken : holdings.idToken, state: state)
        else { return nil }
        return url
    }

    private func tell(within limit: Duration) async -> ProviderSignOut {
        guard let debt else { return ProviderSignOut(.notTold, explanation: "Another session took over the tokens.") }
        guard debt.isOpen else { return debt.outcome }
        await party.clock.bounded(limit) {
            let answer = SharedAnswer<Bool>()
            async let session: Void = self.endSession(answer)
            // A token that is revoked can no longer show what the log-out did, so the log-out goes first. A log-out that
            // hangs must not keep the tokens alive.
            _ = await self.party.clock.bounded(limit / 2) { try? await answer.value() }
            if !Task.isCancelled { await self.revokeTokens() }
            await session
        }
        return self.debt?.outcome ?? debt.outcome
    }

    private func revokeTokens() async {
        debt?.endLook()
        if let debt, debt.refresh == .open, let token = debt.refreshToken {
            let part = await party.revoke(token, .refreshToken)
            note { $0.refresh = part }
        }
        guard let debt, debt.access == .open else { return }
        // One after the other; the first that fails speaks for those that are left.
        var part = SignOutDebt.Part.done
        for (token, hint) in debt.others where part == .done {
            part = await party.revoke(token, hint)
            // The next try goes on where this one stops.
            if part == .done { self.debt?.others.removeAll { $0.token === token } }
        }
        let last = part
        note { $0.access = last }
    }

    /// Asks the provider to end its session, and looks whether it did.
    ///
    /// - Parameter answer: Settled when the tokens are no longer needed for that.
    private func endSession(_ answer: SharedAnswer<Bool>) async {
        defer { answer.settle(.success(true)) }
        guard let debt, debt.session == .open, let idToken = debt.idToken else { return }
        if debt.look == .unknown { await tryRefreshToken() }
        let part = await party.endSession(idToken: idToken)
        note { $0.session = part }
        guard part == .told || part == .waitsForPerson, self.debt?.look == .possible, !Task.isCancelled else { return }
        switch await tryRefreshToken() {
        case true?: self.debt?.isRefreshTokenGood = true
        case false? where self.debt?.session != .done: self.debt?.end(.refreshToken)
        default: break
        }
    }

    /// Whether the provider still takes the refresh token; nil: that cannot be told.
    @discardableResult
    private func tryRefreshToken() async -> Bool? {
        guard let token = debt?.refreshToken, debt?.refresh != .done else { return nil }
        debt?.look = .asking
        do throws(IdentityError) {
            let answer = try await party.tryOut(token)
            guard debt?.look == .asking, !Task.isCancelled else {
                // The tokens are being revoked; these came too late to be among them.
                party.forget(answer.all)
                debt?.endLook()
                return nil
            }
            debt?.look = .possible
            debt?.take(answer)
            noteChange()
            return true
        } catch {
            guard debt?.look == .asking else { return nil }
            let isRefused = error.cause == .interactionRequired(code: "invalid_grant")
            debt?.look = isRefused ? .impossible : .unknown
            return isRefused ? false : nil
        }
    }

    /// What two tries found in any order: one that got through counts.
    private func note(_ change: (inout SignOutDebt) -> Void) {
        guard var changed = debt else { return }
        let before = changed
        change(&changed)
        if before.refresh != .open { changed.refresh = before.refresh }
        if before.access != .open { changed.access = before.access }
        if before.session != .open { changed.session = before.session }
        debt = changed
    }
}
