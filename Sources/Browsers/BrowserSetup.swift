public import TurnControl

/// How this device's browsers are started.
public struct BrowserSetup: Sendable {
    /// An absolute path.
    public var executable: String
    /// The virtual origin, such as `https://baton.invalid`: requests to it go to `BrowserPages.answer`.
    public var address: String
    /// Further addresses, by origin and path, that are answered in the same way: the provider's redirect URIs.
    public var answered: [String] = []
    /// Origins and hosts that pages may be loaded from; empty: all. The virtual origin always is.
    public var allow: [String] = []
    /// Further arguments from the settings.
    public var arguments: [String] = []
    /// The turn user as whom it runs; nil: as the agent's own user.
    public var user: TurnNumber?

    public init(executable: String, address: String) {
        self.executable = executable
        self.address = address
    }
}

/// Starts browsers of one kind.
public protocol BrowserMaker: Sendable {
    /// Starts one, which shows nothing until `open` where `canWait` is true.
    func start(_ setup: BrowserSetup, pages: any BrowserPages) async throws(BrowserFault) -> any Browser

    /// Whether a browser of this kind can stand by without a window.
    var canWait: Bool { get }
    /// `Chromium 156.0.8078.79`; nil when it cannot be run.
    func version(_ executable: String) async -> String?
}
