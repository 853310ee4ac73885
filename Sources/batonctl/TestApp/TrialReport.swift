/// What `test-app` found in one step.
struct TrialStep: Encodable, Sendable {
    /// A word that stays the same: `register`, `sign-out`, `missed-sign-out`.
    var step: String
    var passed = true
    /// False: what the step is about did not come to pass, so that it says nothing about that.
    var exercised = true
    /// In plain words.
    var text: [String] = []
    /// The receipt's word for the app, where the step ends with a sign-out.
    var outcome: String?
    /// From the begin of the sign-out until the app was settled.
    var milliseconds: UInt32?

    init(_ step: String) { self.step = step }

    mutating func note(_ line: String) { text.append(line) }

    mutating func notExercised(_ line: String) {
        text.append(line)
        exercised = false
    }

    mutating func fail(_ line: String) {
        text.append(line)
        passed = false
    }
}

/// All that `test-app` found, and its JSON.
struct TrialReport: Encodable, Sendable {
    var app: String?
    var passed: Bool { !steps.isEmpty && steps.allSatisfy(\.passed) }
    var steps: [TrialStep] = []

    enum CodingKeys: String, CodingKey { case app, passed, steps }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(app, forKey: .app)
        try container.encode(passed, forKey: .passed)
        try container.encode(steps, forKey: .steps)
    }
}
