public import DBus

/// What the agent found on this machine: the answer of `Configure`.
public struct AgentState: Hashable, Sendable {
    /// How well this machine can prove that something ended: `namespace`, `cgroup`, `tree` or `pid`.
    public var proof: String
    /// The browser that is managed, such as `chromium 156`; empty: none.
    public var browser: String
    /// `x11`, `wayland` or empty.
    public var display: String
    /// What cannot be checked here, and what to do about it.
    public var warnings: [String]

    public init(proof: String = "", browser: String = "", display: String = "", warnings: [String] = []) {
        self.proof = proof
        self.browser = browser
        self.display = display
        self.warnings = warnings
    }

    /// Bounded, since it is shown on terminals and stands in a log.
    public init(_ dictionary: VariantDictionary) {
        func text(_ key: String) -> String { String((dictionary[key]?.string ?? "").prefix(128)) }
        self.init(
            proof: text("proof"), browser: text("browser"), display: text("display"),
            warnings: (dictionary["warnings"]?.strings ?? []).prefix(32).map { String($0.prefix(512)) })
    }

    public var dictionary: VariantDictionary {
        [
            "proof": .string(proof), "browser": .string(browser), "display": .string(display),
            "warnings": .strings(warnings),
        ]
    }
}
