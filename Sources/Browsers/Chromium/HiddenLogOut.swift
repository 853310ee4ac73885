import LinuxSystem
import Vocabulary

/// The provider's log-out page, loaded where no worker sees it.
struct HiddenLogOut {
    typealias Steps = AsyncStream<Step>

    enum Step: Sendable {
        /// The browser has the page; nil when it could not make one.
        case opened(String?)
        /// The provider has answered.
        case answered
        /// It cannot be reached.
        case failed
        /// It has sent the browser back to us.
        case confirmed
        case firstOver, wholeOver
    }

    let link: ChromiumLink
    let traffic: ChromiumTraffic
    let url: String
    let answer: String

    func run(first: Duration, whole: Duration) async -> PageLogOut {
        let (steps, step) = Steps.makeStream()
        // The pipe keeps the order: the browser knows what to tell us before it loads the page.
        traffic.beginLogOut(RequestRules.HiddenPage(url: url, answer: answer), step)
        let result = await withTaskGroup(of: Void.self) { group -> PageLogOut in
            group.addTask { step.yield(.opened(await self.open(limit: first))) }
            Self.add(.wholeOver, after: whole, to: &group, step)
            defer { group.cancelAll() }
            var result = PageLogOut.silent
            for await next in steps {
                switch next {
                case .opened(let target?):
                    traffic.name(hidden: target)
                    // The provider's time begins when the page does.
                    Self.add(.firstOver, after: first, to: &group, step)
                case .answered: result = .answered
                case .confirmed: return .confirmed
                case .wholeOver: return result
                case .opened(nil), .failed, .firstOver: if result == .silent { return result }
                }
            }
            return result
        }
        if let target = traffic.endLogOut() { link.post(CloseTarget(targetId: target)) }
        return result
    }

    private func open(limit: Duration) async -> String? {
        do {
            return try await link.call(CreateTarget.hidden(url), limit: limit).targetId
        } catch .refused {
            // Nothing hidden can be made in a browser without a window. The screen is covered while this runs.
            return try? await link.call(CreateTarget.window(url), limit: limit).targetId
        } catch {
            return nil
        }
    }

    private static func add(
        _ step: Step, after duration: Duration, to group: inout TaskGroup<Void>, _ steps: Steps.Continuation
    ) {
        group.addTask {
            // Cancelled when the rest is done; no task listens then.
            try? await OwnTasks.sleep(for: duration)
            steps.yield(step)
        }
    }
}
