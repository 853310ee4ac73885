public import SessionMachine
import Vocabulary

extension Policy {
    /// What tests of the machine begin with: times in the order in which the settings demand them, and limits that no test
    /// reaches by chance. Their numbers are the tests' own.
    public static let ordinary = Policy(
        soft: 1_500_000, hard: 5_000_000, absolute: 10_000_000, containment: 3_000_000, unproven: .owe,
        acceptsUnlistedApps: true, countdown: 60_000_000, signInTimeout: 300_000_000, agentRequired: true,
        agentGrace: 10_000_000, remembersPrevious: .always, participants: 512, participantsPerUser: 256,
        debtsPerUser: 256)
}
