extension Explanation {
    /// For people; empty: there is nothing to explain.
    public var text: String { parts.map(\.text).joined(separator: "; ") }
}

extension Explanation.Part {
    private static let remedy =
        "so the apps that took part in this turn are unknown; restart the machine, or check it and use `batonctl reset` as an"
        + " administrator"

    public var text: String {
        switch self {
        case .olderCopy: "an older copy of the journal was put back, \(Self.remedy)"
        case .lostJournal: "the journal was lost, \(Self.remedy)"
        // An administrator has it ended already, so it needs no advice.
        case .resetJournal:
            "an administrator put a journal aside that could not be read, so the apps that took part in this turn are unknown"

        case .agentMissing: "the agent was not there"
        case .absoluteLimit(let limit): "the barrier did not end within its absolute limit of \(limit.seconds) s"
        case .restarted(let times): "the supervisor was restarted \(times) times"
        case .sealed(let seal): seal.explanation

        case .unwritableJournal: "the journal cannot be written"
        case .notContained(let apps): "not contained: \(apps.joined(separator: ", "))"
        case .browserNotSignedOut(let failed):
            "the browser was not signed out" + (failed.isEmpty ? "" : " (\(failed.joined(separator: ", ")))")
        case .notCleared(let holder): "not cleared: \(holder)"
        case .slowWrite(let limit, let took):
            "longer than the absolute limit of \(limit.seconds) s: a write of the journal took \(took.seconds) s"

        case .noAcknowledgement: "it did not acknowledge in time"
        case .saidFailed: "it said that it could not clear"
        case .notRunning: "it was not running any more"
        case .notRunningDataUnknown: "it was not running any more, and the location of its data is unknown"
        case .unknownApps: "the journal has lost which apps these are"
        case .containmentFailed: "it could not be contained"
        case .containmentTimedOut: "the agent did not contain it in time"
        case .noAgentToContain: "no agent was there to contain it"
        case .weakProof: "process ids alone prove nothing of an app that the agent starts"
        case .barrierEnded: "the barrier ended before it was settled"

        case .checksSucceeded: "every missing check has succeeded since"
        case .endedByAdministrator: "an administrator ended the quarantine"
        case .notProvenClean(let apps): "not proven clean: \(apps.joined(separator: ", "))"
        case .uncheckedApps: "unchecked: apps that took part and are not known"
        case .begunSince(let epoch): "an older copy of the journal was put back; epoch \(epoch) had begun since"
        case .unwrittenRelease: "the record of its end could not be written at the time"

        case .providerTimedOut: "the identity provider was not reached in time"
        case .uncountedTokens: "tokens given before a restart of batond are not counted"

        case .said(let text): text
        }
    }
}
