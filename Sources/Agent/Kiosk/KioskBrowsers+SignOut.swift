import BatonContract
import Browsers
import Clearing
import LinuxSystem
import Sandbox
import Vocabulary

extension KioskBrowsers {
    /// How long the provider's page may be silent, and how long it may take in all: shares of the time for all.
    ///
    /// Some providers take a second. A browser that ends before its page has answered leaves the session there open. Most
    /// of the time is for ending the browser, without which the device is quarantined.
    private static func logOutLimits(_ limit: TimeLimit) -> (first: Duration, whole: Duration) {
        (limit.left / 5, limit.left * 3 / 10)
    }

    /// Ends the worker's browser, puts a new one with the start page in its place, and says what of that is proven.
    ///
    /// - Parameter isCovered: Whether the screen is, as far as the display says.
    /// - Returns: The rows of the receipt, and how the provider's page ended; nil: none was opened.
    func signOut(
        _ page: LogOutPage?, of epoch: Epoch, acceptsWeakProof: Bool = false, isCovered: Bool = false,
        limit: TimeLimit
    ) async -> (rows: [HolderReport], page: PageLogOut?) {
        gate.close(epoch)
        let old = leave(epoch)
        if settings.hasTurnUser {
            leaveSpare()
            if isCovered { bringSpare() }
        }
        // The next worker's browser is made ready while the old one says good-bye.
        async let fresh = freshStartPage(limit)
        let provider = await logOut(page, old, limit)
        let proofs = Set(leaving.map(\.browser.confinement.proof))
        let left = await settle(limit: limit)
        let painted = await fresh
        await sayPage(wasMissed: painted.outcome == .failed)
        let row = Self.row(of: provider, page, hadBrowser: old != nil)
        return ([row, Self.processes(left, proofs, acceptsWeakProof), painted], provider)
    }

    private func logOut(_ page: LogOutPage?, _ instance: BrowserInstance?, _ limit: TimeLimit) async -> PageLogOut? {
        guard let page, let instance else { return nil }
        let limits = Self.logOutLimits(limit)
        return await instance.browser.logOut(
            at: page.url, answer: page.answer, first: limits.first, whole: limits.whole)
    }

    /// What the provider was told is in the receipt's own row; here it is only about the page.
    private static func row(of answer: PageLogOut?, _ page: LogOutPage?, hadBrowser: Bool) -> HolderReport {
        let name = providerPage
        switch answer {
        case .confirmed: return HolderReport(name, .clean, "the provider confirmed")
        case .answered: return HolderReport(name, .unchecked, "the provider answered and did not confirm")
        case .silent: return HolderReport(name, .unchecked, "the provider's page did not answer in time")
        case nil where page == nil: return HolderReport(name, .unchecked, "the provider has no log-out page")
        case nil: return HolderReport(name, .unchecked, "no browser was open")
        }
    }

    private static func processes(
        _ left: [Unended], _ proofs: Set<Proof>, _ acceptsWeakProof: Bool
    ) -> HolderReport {
        let name = "browser"
        if let failed = left.first(where: { !$0.endsWithTurn }) { return HolderReport(name, .failed, failed.problem) }
        if let last = left.first { return HolderReport(name, .unchecked, "\(last.problem): it ends with the turn") }
        let weak = proofs.contains(.pid) && !acceptsWeakProof
        let words = proofs.map(\.rawValue).sorted().joined(separator: ", ")
        if weak { return HolderReport(name, .failed, "ended, but the only proof is pid") }
        return HolderReport(name, .clean, proofs.isEmpty ? "none was open" : "ended, proof: \(words)")
    }

    private func freshStartPage(_ limit: TimeLimit) async -> HolderReport {
        // On X11 a program of the worker could reach its window, so it comes when batond has ended the turn's slice and chosen the
        // next turn's user; elsewhere sooner, but batond may choose another. Until it is painted the device says that it is missing.
        guard !settings.hasTurnUser else {
            return HolderReport(Self.startPage, .unchecked, "it comes when the next turn has a user")
        }
        let (answers, answer) = AsyncStream.makeStream(of: HolderReport.self)
        // Left to itself when the time is over: a browser that comes later serves the next attempt.
        Task { answer.yield(await startPage(limit)) }
        return await answers.first(within: limit.left)
            ?? HolderReport(Self.startPage, .failed, "no browser showed it in time")
    }

    /// A browser that ends while it comes, for whatever reason, has a successor as long as there is time.
    private func startPage(_ limit: TimeLimit) async -> HolderReport {
        var failure = "no browser could be started"
        var pause = Duration.milliseconds(100)
        while true {
            if let instance = await ensureFront() {
                if await isPainted(instance, limit) { return HolderReport(Self.startPage, .clean, "painted") }
                failure = "it did not say that it is on the screen"
                if isEnoughForAnother(limit), front === instance, turn == nil {
                    front = nil
                    discard(instance)
                }
            }
            guard limit.left > pause else {
                // The device has no page, and nothing else sees to one: after this sign-out there is no other event to wait for.
                Task { await open() }
                return HolderReport(Self.startPage, .failed, failure)
            }
            try? await OwnTasks.sleep(for: pause)
            pause *= 2
        }
    }

    /// Of a machine that is too slow for one in that time, the one that is on its way is the next to come.
    private func isEnoughForAnother(_ limit: TimeLimit) -> Bool { limit.left > lastStart * 2 }

    /// One that hangs leaves half of the time to another, and most of it if it does not even answer.
    private func isPainted(_ instance: BrowserInstance, _ limit: TimeLimit) async -> Bool {
        guard isEnoughForAnother(limit) else {
            return await startPages.untilPainted(instance, atMost: limit.left)
        }
        let half = TimeLimit(limit.left / 2)
        if await startPages.untilPainted(instance, atMost: half.left / 2) { return true }
        guard await answers(instance) else { return false }
        return await startPages.untilPainted(instance, atMost: half.left)
    }

    /// Rows of the receipt that hold nothing of the worker's.
    static let startPage = "start-page"
    static let providerPage = "provider-page"
}
