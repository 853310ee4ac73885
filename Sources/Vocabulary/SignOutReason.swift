/// Why a turn ends.
public enum SignOutReason: String, Hashable, Sendable, Codable, CaseIterable {
    case user, browser, idle, expired, administrator, provider, sleep, shutdown
    case agentLost = "agent-lost"
    case recovery
}
