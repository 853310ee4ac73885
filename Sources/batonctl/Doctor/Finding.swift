/// One thing that `doctor` looked at.
struct Finding: Encodable, Equatable {
    enum State: String, Encodable, CaseIterable {
        case ok, warning, wrong
        /// It was not looked at, and the text says why.
        case unchecked
    }

    /// What was looked at, in a word that stays the same: `bus`, `daemon`.
    var check: String
    var state: State
    /// What was found.
    var text: String
    /// What to do about it; empty when there is nothing to do.
    var advice = ""

    static func ok(_ check: String, _ text: String) -> Finding { Finding(check: check, state: .ok, text: text) }

    static func unchecked(_ check: String, _ why: String, _ advice: String = "") -> Finding {
        Finding(check: check, state: .unchecked, text: why, advice: advice)
    }

    static func warning(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, state: .warning, text: text, advice: advice)
    }

    static func wrong(_ check: String, _ text: String, _ advice: String) -> Finding {
        Finding(check: check, state: .wrong, text: text, advice: advice)
    }
}

/// All that `doctor` found, and its JSON.
struct DoctorReport: Encodable {
    /// Of all that was looked at.
    var isWell: Bool { worst == .ok }
    var findings: [Finding]

    var worst: Finding.State {
        if findings.contains(where: { $0.state == .wrong }) { return .wrong }
        return findings.contains { $0.state == .warning } ? .warning : .ok
    }

    enum CodingKeys: String, CodingKey { case well, findings }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isWell, forKey: .well)
        try container.encode(findings, forKey: .findings)
    }
}
