/// Where the device stands.
public enum Phase: String, Hashable, Sendable, Codable, CaseIterable {
    case ready
    case signingIn = "signing-in"
    case inUse = "in-use"
    case clearing
    case quarantined
}
