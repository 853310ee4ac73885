import SessionMachine
import Vocabulary

/// What an agent was asked for.
struct Job: Hashable, Sendable {
    var request: Effect.Request
    /// Who was asked.
    var agent: AgentNumber
    var done = false

    var isOfLock: Bool {
        switch request {
        case .lock, .unlock: true
        default: false
        }
    }
}

/// A turn for which the provider was asked for its pages.
struct PagesAsked: Hashable, Sendable {
    var epoch: Epoch
    var agent: AgentNumber
}
