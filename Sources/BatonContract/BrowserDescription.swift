public import Vocabulary

/// The browser that `GetDeviceInformation` names: the settings' word while the agent is away, else what the browser calls
/// itself, with its version.
public struct BrowserDescription: RawRepresentable, Hashable, Sendable {
    /// Empty where the daemon does not say it.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(_ kind: BrowserKind) { self.init(rawValue: kind.rawValue) }

    /// No browser is managed.
    public static let none = BrowserDescription(BrowserKind.none)

    /// Whether a browser is managed, known here or not.
    public var isManaged: Bool { !rawValue.isEmpty && self != .none }

    /// Nil: the name of none that is known here. Browsers call themselves 'Chromium 156', 'Mozilla Firefox 140'.
    public var kind: BrowserKind? {
        if self == .none { return BrowserKind.none }
        let name = rawValue.lowercased()
        return BrowserKind.allCases.first { $0 != .none && name.contains($0.rawValue) }
    }
}
