import Logging
import Synchronization

/// Warns when an outlet of metrics begins to fail, and not each time again.
final class FaultNote: Sendable {
    private let isFailing = Mutex(false)
    private let failing: Logger.Message
    private let working: Logger.Message
    private let path: String
    private let log: Logger

    init(failing: Logger.Message, working: Logger.Message, _ path: String, log: Logger) {
        self.failing = failing
        self.working = working
        self.path = path
        self.log = log
    }

    /// - Parameter problem: Nil: it works.
    func note(_ problem: String?) {
        let was = isFailing.withLock { isFailing in
            defer { isFailing = problem != nil }
            return isFailing
        }
        if let problem, !was {
            log.warning(failing, metadata: ["path": "\(path)", "error": "\(problem)"])
        } else if problem == nil, was {
            log.notice(working, metadata: ["path": "\(path)"])
        }
    }
}
