import DBus
public import Vocabulary

/// What the agent found on this machine: the answer of `Configure`.
public struct AgentState: DictionaryMessage, Hashable {
    /// How well this machine can prove that something ended.
    public var proof: Proof?
    /// The browser that is managed, such as `chromium 156`; empty: none.
    public var browser: String
    /// `x11`, `wayland` or empty.
    public var display: String
    /// What tells how long there was no input; nil: a word that is not known here.
    public var idle: IdleSource?
    /// What cannot be checked here, and what to do about it.
    public var warnings: [String]

    public init() { self.init(proof: nil) }

    public init(
        proof: Proof?, browser: String = "", display: String = "", idle: IdleSource? = .nothing, warnings: [String] = []
    ) {
        self.proof = proof
        self.browser = browser
        self.display = display
        self.idle = idle
        self.warnings = warnings
    }

    /// Bounded, since it is shown on terminals and stands in a log.
    public static let fields: [MessageField<Self>] = [
        .wordOrEmpty(
            "proof", \.proof, "namespace, cgroup, tree, pid: how well this machine can prove that something ended"),
        .text("browser", \.browser, "the managed browser; empty: none", atMost: 128),
        .text("display", \.display, "x11, wayland or empty", atMost: 128),
        .wordIfKnown("idle", \.idle, "as in GetDeviceInformation"),
        .texts("warnings", \.warnings, "checks that are not possible here, with advice", atMost: 32, ofLength: 512),
    ]
}
