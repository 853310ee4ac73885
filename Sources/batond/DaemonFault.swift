import BatonContract

/// Why batond does not run; each has its exit code.
enum DaemonFault: Error, Sendable {
    /// 69: no bus, or another batond owns the name.
    case unavailable(String)
    /// 78: settings that cannot be used.
    case settings([SettingsCheck.Remark])
    /// 74: the state folder cannot be made, or the runtime folder not be written.
    case state(String)

    var exitCode: Int32 {
        switch self {
        case .unavailable: 69
        case .settings: 78
        case .state: 74
        }
    }

    var message: String {
        switch self {
        case .unavailable(let text), .state(let text): text
        case .settings(let remarks): remarks.map(\.text).joined(separator: "\n")
        }
    }
}
