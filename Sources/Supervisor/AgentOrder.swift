internal import Providers
internal import SessionMachine
internal import Vocabulary

/// A request to the agent, with what the machine does not know of it.
package struct AgentOrder: Sendable {
    let request: Effect.Request
    /// Nobody else who has come meanwhile.
    let agent: AgentNumber
    /// The provider's, for the browser of a turn that begins.
    var pages: ProviderPages?
    /// The provider's log-out page, for the browser of a turn that ends.
    var logOut: BrowserLogOut?
    /// Told once, whatever becomes of the request: whether that page said that the worker is signed out.
    var logOutEnded: @Sendable (_ isConfirmed: Bool) async -> Void = { _ in }

    init(_ request: Effect.Request, of agent: AgentNumber) {
        self.request = request
        self.agent = agent
    }
}
