/// What stands behind the id with which an app registers.
public enum AppIdentity: String, Hashable, Sendable, Codable, CaseIterable {
    /// Any process of that user could have said so.
    case claimed
    /// It showed the agent's token.
    case proven
}
