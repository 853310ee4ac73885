import Clearing
import TurnControl
import Vocabulary

/// A worker's turn, as the agent knows it.
struct Turn: Sendable, Equatable {
    var epoch: Epoch
    /// As batond says.
    var start: TurnStart
    /// As which turn user its browser runs; nil: as the agent's own.
    var user: TurnNumber?
    /// The provider's log-out address; empty: there is none, or it is not known.
    var endSession = ""
    /// Others that end the same session.
    var logOuts: [String] = []
    /// The provider's issuer: an address of the origin whose cookies are its session.
    var issuer = ""
    /// The worker's; empty: it is not known.
    var locale = ""
    /// The layout of the worker's own; nil: the one of their locale, if any.
    var keyboard: KeyboardLayout?
}

/// The provider's log-out page with all its parameters, and where it sends the browser when the worker is signed out there.
struct LogOutPage: Sendable, Equatable {
    var url: String
    var answer: String
}
