/// The browser that the agent manages.
public enum BrowserKind: String, Hashable, Sendable, Codable, CaseIterable {
    case none, chromium, firefox
}
