import Providers
import SessionMachine
import Vocabulary

/// A request to the agent, with the one thing that the machine must not know of it.
///
/// The address of a log-out page names the worker to the provider with what only their session has (`id_token_hint`), so it
/// comes from the provider here, and stays out of the machine, which holds no secrets.
package struct AgentOrder: Sendable {
    let request: Effect.Request
    /// No other agent that has come meanwhile.
    let agent: AgentNumber
    /// The provider's log-out page, for the browser of a turn that ends.
    var logOut: BrowserLogOut?
    /// Told once, whatever becomes of the request: whether that page said that the worker is signed out.
    var logOutEnded: @Sendable (_ isConfirmed: Bool) async -> Void = { _ in }

    init(_ request: Effect.Request, of agent: AgentNumber) {
        self.request = request
        self.agent = agent
    }
}
