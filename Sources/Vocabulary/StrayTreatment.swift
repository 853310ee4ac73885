/// What is done about programs and files of a turn that stand in no list.
public enum StrayTreatment: String, Hashable, Sendable, Codable, CaseIterable {
    case end
    /// Named in the receipt and left alone.
    case name
}
