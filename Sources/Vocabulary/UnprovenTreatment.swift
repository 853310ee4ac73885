/// What becomes of an app whose data cannot be found at sign-out.
public enum UnprovenTreatment: String, Hashable, Sendable, Codable, CaseIterable {
    case owe, quarantine
}
