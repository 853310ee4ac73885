internal import Secrets

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
    public func endedInBrowser() {
        debt?.session = .done
        debt?.endedInBrowser = true
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
            async let tokens: Void = self.revokeTokens(debt)
            async let session: Void = self.endSession(debt)
            _ = await (tokens, session)
        }
        return self.debt?.outcome ?? debt.outcome
    }

    private func revokeTokens(_ debt: SignOutDebt) async {
        if debt.refresh == .open, let token = debt.refreshToken {
            let part = await party.revoke(token, .refreshToken)
            note { $0.refresh = part }
        }
        guard debt.access == .open else { return }
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

    private func endSession(_ debt: SignOutDebt) async {
        guard debt.session == .open, let idToken = debt.idToken else { return }
        let part = await party.endSession(idToken: idToken)
        note { $0.session = part }
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
