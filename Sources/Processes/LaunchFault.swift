/// Why a program was not started.
public enum LaunchFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// It, or a program that it needs (bwrap, xdg-dbus-proxy), is not there or cannot be run.
    case missing(String)
    case failed(String)

    public var description: String {
        switch self {
        case .missing(let program): "\(program) cannot be run"
        case .failed(let why): why
        }
    }
}
