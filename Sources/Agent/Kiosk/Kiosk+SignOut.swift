import BatonContract
import Checkpoints
import Clearing
import Display
import LinuxSystem
import Presentation
import Vocabulary

/// What became of the browser at a sign-out.
struct BrowserReport: Sendable {
    var outcome: CheckOutcome
    var explanation: String
    var checks: [HolderReport] = []
    /// How the provider's log-out page ended; nil: none was opened.
    var page: PageLogOut?
}

extension Kiosk {
    func signOutBrowser(_ epoch: Epoch, _ page: LogOutPage?, limit: TimeLimit) async -> BrowserReport {
        gate.close(epoch)
        renewBar()
        endIdleWatch()
        users.end()
        let problems = await sweep()
        guard let browsers else {
            if let problem = problems.first { return BrowserReport(outcome: .failed, explanation: problem) }
            return BrowserReport(outcome: .none, explanation: "no browser is managed")
        }
        guard configuration.browser.isSignOutEnforced else {
            return BrowserReport(outcome: .unchecked, explanation: "\(SettingsKey.browserSignOut) is off")
        }
        endLock()
        let screen = await cover(WorkerTexts.of(language).signingOut)
        let weak = configuration.acceptsWeakProof
        let done = await step {
            await browsers.signOut(
                page, of: epoch, acceptsWeakProof: weak, isCovered: screen.outcome == .clean, limit: limit)
        }
        // What was covered was so only as long as the display was there.
        let isLost = screen.outcome == .clean && parts.screen?.isLost == true
        var checks = [isLost ? Self.lostCover : screen] + done.rows
        if let problem = problems.first { checks.append(HolderReport("earlier-agent", .failed, problem)) }
        let failed = checks.filter { $0.outcome == .failed }
        let why = failed.map { "\($0.name): \($0.explanation)" }.joined(separator: "; ")
        return BrowserReport(
            outcome: failed.isEmpty ? .clean : .failed, explanation: why, checks: checks, page: done.page)
    }

    private func cover(_ text: String) async -> HolderReport {
        guard let screen = parts.screen else {
            return HolderReport(
                "screen", .unchecked, "this session's screen cannot be covered; the start page comes over it")
        }
        isCovered = await screen.cover(text)
        return isCovered
            ? HolderReport("screen", .clean, "covered") : HolderReport("screen", .failed, "it could not be covered")
    }

    private static let lostCover = HolderReport("screen", .unchecked, "covered until the display was lost")

    /// After the apps: sandboxes, what all programs share, and what stands in no list.
    ///
    /// - Parameters:
    ///   - began: When the turn began, as batond says; nil: it does not know, and what it said at the begin holds.
    ///   - spare: Processes that are no strays, nor is what they started.
    ///   - waiting: Processes that wait for this sign-out.
    func clearSharedHolders(
        epoch: Epoch, began: TurnStart?, spare: Set<Int32>, waiting: Set<Int32>, limit: TimeLimit
    ) async -> [HolderReport] {
        await step { await clearAfterApps(epoch, began, spare, waiting, limit) }
    }

    private func clearAfterApps(
        _ epoch: Epoch, _ began: TurnStart?, _ spare: Set<Int32>, _ waiting: Set<Int32>, _ limit: TimeLimit
    ) async -> [HolderReport] {
        gate.close(epoch)
        renewBar()
        endIdleWatch()
        var rows = [await apps.endSandboxes(of: epoch, limit: limit)]
        checkpoint("after the sandboxes ended")
        let start = began ?? turn.flatMap { $0.epoch == epoch ? $0.start : nil }
        rows += await clear(parts.holders(configuration), start, limit)
        let cleared = Set(rows.map(\.name))
        for name in HolderName.allCases
        where !configuration.holders.contains(name) && !cleared.contains(name.rawValue) {
            rows.append(HolderReport(name.rawValue, .unchecked, "the settings leave it"))
        }
        checkpoint("after the shared holders were cleared")
        // The last, since clearing starts and ends processes itself.
        let lasting = Set(await apps.lasting.map(\.pid))
        rows += await parts.strays.clear(
            configuration, start, spared: spare.union(lasting), waiting: waiting, limit: limit)
        checkpoint("after the strays were ended")
        if isCovered, parts.screen?.isLost == true { rows.append(Self.lostCover) }
        rows += await restoreScreen(epoch, limit)
        checkpoint("after the screen was restored")
        // In no row: only the server sees whether anything was left.
        await parts.forgetWindows(limit)
        if let turn, turn.epoch <= epoch { self.turn = nil }
        await renewBrowsers()
        await admitUsers()
        return rows
    }

    private func clear(
        _ holders: [any SharedHolder], _ start: TurnStart?, _ limit: TimeLimit
    ) async -> [HolderReport] {
        // What was there before the turn is the device's own, and could not be told apart.
        guard let start else {
            return holders.map { HolderReport($0.name, .failed, "the beginning of the turn is unknown") }
        }
        return await withTaskGroup(of: (Int, HolderReport).self) { group in
            for (place, holder) in holders.enumerated() {
                group.addTask {
                    let report = await holder.clear(start, limit: limit)
                    checkpoint("after \(holder.name) was cleared")
                    return (place, report)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Contains one app; what the agent started is ended by its sandbox, all else as `report` says.
    func contain(_ id: String, limit: TimeLimit, other: () async -> ContainmentReport) async -> ContainmentReport {
        let ended = await apps.end(id, limit: limit)
        var report = await other()
        guard let ended else { return report }
        // Whether that proof is enough is batond's to say.
        report.proof = ended.proof
        if let why = ended.problem {
            report.outcome = .failed
            report.explanation = [report.explanation, why].filter { !$0.isEmpty }.joined(separator: "; ")
        }
        return report
    }
}
