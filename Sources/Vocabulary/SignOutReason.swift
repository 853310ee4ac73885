/// Why a turn ends.
public enum SignOutReason: String, Hashable, Sendable, Codable, CaseIterable {
    case user, browser, idle, expired, administrator, provider, sleep, shutdown
    /// A lock lasted too long, or its PIN was wrong too often.
    case lock
    case agentLost = "agent-lost"
    case recovery
}
