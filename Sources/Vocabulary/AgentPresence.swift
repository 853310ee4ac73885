/// Whether the agent is on the bus and prepared; the words of `GetDeviceInformation`.
public enum AgentPresence: String, Hashable, Sendable, CaseIterable {
    case present, away
}
