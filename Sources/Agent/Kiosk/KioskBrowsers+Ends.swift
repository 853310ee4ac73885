import Browsers
import Checkpoints
import LinuxSystem
import Sandbox
import Vocabulary

/// The ends of browsers that have seen a worker.
extension KioskBrowsers {
    /// A browser whose end was not seen.
    struct Unended {
        let problem: String
        /// batond ends it with the turn.
        let endsWithTurn: Bool
    }

    /// Takes every browser that may have seen a worker out of use.
    ///
    /// - Parameter epoch: Of the turn that ends. A start page that came after that was asked for is the next worker's: on a machine
    ///   that is slow to show one, a sign-out that is tried again for its sake would never end otherwise. Nil: it goes as well.
    /// - Returns: The one that was in front.
    func leave(_ epoch: Epoch?) -> BrowserInstance? {
        let isNext = turn == nil && !isSigningIn && epoch.map { frontAfter >= $0 } ?? false
        poll?.cancel()
        signInWatch?.cancel()
        turn = nil
        isSigningIn = false
        signInEnds &+= 1
        let old = isNext ? nil : front
        leaving += [old, again].compactMap(\.self)
        if !isNext { front = nil }
        again = nil
        // One that was about to come belongs to no worker yet.
        return old
    }

    /// Ends all that is leaving; what could not be proven stays for the next time.
    @discardableResult
    func settle(limit: TimeLimit) async -> [Unended] {
        await withTaskGroup(of: (BrowserInstance, String?).self) { group in
            for instance in leaving {
                group.addTask {
                    checkpoint("browser: before it is ended")
                    defer { checkpoint("browser: after it was ended") }
                    return (instance, await instance.browser.end(limit: limit))
                }
            }
            var problems: [Unended] = []
            for await (instance, problem) in group {
                if let problem {
                    problems.append(
                        Unended(problem: problem, endsWithTurn: instance.browser.confinement.endsWithTurn))
                } else {
                    leaving.removeAll { $0 === instance }
                    await startPages.remove(instance)
                }
            }
            return problems
        }
    }
}
