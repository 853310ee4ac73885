/// Whether the device is shared or one person's own.
public enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
    case shared
    case personal = "default"
}
