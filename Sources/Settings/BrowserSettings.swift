public import Vocabulary

/// The browser that belongs to the workers' sessions: `browser`.
public struct BrowserSettings: Sendable, Hashable {
    public enum SignOut: String, Sendable, CaseIterable { case enforced, off }

    public var kind: BrowserKind = .none
    /// An absolute path; nil: where the system has it.
    public var executable: String?
    /// The worker's first page; nil: Baton's own.
    public var startPage: String?
    /// The origin that the agent answers inside the browser: `https`, or `http` on a loopback host; no path.
    public var address = "https://baton.invalid"
    /// Origins and hosts that pages may be loaded from; empty: all.
    public var allow: [String] = []
    /// Origins and hosts of the provider's sign-in pages, beside the one that a sign-in begins at.
    public var signInPages: [String] = []
    /// After how long without input a free terminal forgets what was typed, and a sign-in in the browser is given up.
    public var leftAfter = Duration.seconds(60)
    /// How long a browser may take to show the start page.
    public var startLimit = Duration.seconds(30)
    public var signOut: SignOut = .enforced
    /// A second browser stands by.
    public var hasSpare = true
    /// The provider's cookie whose disappearance is a sign-out; nil: the agent finds out by itself.
    public var sessionCookie: String?
    /// Further arguments of the browser's program.
    public var arguments: [String] = []

    public init() {}

    public var isManaged: Bool { kind != .none }
}
