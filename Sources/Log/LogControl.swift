public import Logging
import Synchronization

/// The level of the whole program's log, which an administrator changes while it runs.
public final class LogControl: Sendable {
    /// Where the log goes: `journal` or `console`.
    public enum Target: String, Sendable { case journal, console }

    /// What the lines are found by.
    public let identifier: String
    private let state: Mutex<(level: Logger.Level, target: Target)>

    public init(identifier: String, level: Logger.Level) {
        self.identifier = identifier
        state = Mutex((level, .console))
    }

    public var level: Logger.Level {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    public internal(set) var target: Target {
        get { state.withLock { $0.target } }
        set { state.withLock { $0.target = newValue } }
    }

    /// A handler for the place that standard error leads to.
    ///
    /// - Parameter stream: `JOURNAL_STREAM` of the environment.
    public func handler(stream: String?) -> any LogHandler {
        guard let journald = LogToJournald(control: self, stream: stream) else {
            return LogToStandardError(control: self)
        }
        target = .journal
        return journald
    }
}

extension Logger.Level {
    /// As syslog(3) counts.
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// As syslog(3) calls it.
    package var syslogName: String {
        switch self {
        case .trace, .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "err"
        case .critical: "crit"
        }
    }

    package init?(syslogName: String) {
        switch syslogName {
        case "debug": self = .debug
        case "info": self = .info
        case "notice": self = .notice
        case "warning": self = .warning
        case "err": self = .error
        case "crit", "alert", "emerg": self = .critical
        default: return nil
        }
    }
}
