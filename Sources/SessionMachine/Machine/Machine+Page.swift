import Vocabulary

/// Whether the next worker finds the start page on the screen.
extension Machine {
    public enum Missing: Hashable, Sendable { case startPage }

    /// What a free device lacks; nil: nothing, or it is not free.
    public var missing: Missing? {
        guard phase == .ready, pageMissingSince != nil else { return nil }
        return .startPage
    }

    mutating func startPage(isShown: Bool, _ now: Moment) {
        let isNew = isShown && !isPageShown
        isPageShown = isShown
        notePage(now)
        if !isShown { pageCameLate = false }
        // The browser is back: what failed for its sake may be made up for.
        guard isNew, let barrier = ledger.barrier else { return }
        if barrier.ended, barrier.retries.ends == 0 { retry(now) } else { pageCameLate = true }
    }

    /// Whether what has just failed is worth a try at once, since the page is there by now.
    mutating func takeLatePage() -> Bool {
        defer { pageCameLate = false }
        return pageCameLate && ledger.barrier?.browser == .failed
    }

    mutating func notePage(_ now: Moment) {
        let isMissing = policy.pagePatience != nil && agentPresent && !isPageShown
        if !isMissing {
            pageMissingSince = nil
            // Without an agent the page is not there either.
            if sealed == .missingStartPage, policy.pagePatience == nil || isPageShown { unseal() }
        } else if pageMissingSince == nil {
            pageMissingSince = now.monotonic
        }
    }

    /// When a free device without its page is one that no worker can use.
    var pageDeadline: UInt64? {
        guard phase == .ready, let since = pageMissingSince, let patience = policy.pagePatience else { return nil }
        return since.adding(patience)
    }

    mutating func expirePage(_ now: Moment) {
        if let pageDeadline, now.monotonic >= pageDeadline { seal(.missingStartPage) }
    }
}
