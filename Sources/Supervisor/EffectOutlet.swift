package import BatonContract
import DBus
package import SessionMachine

/// The supervisor's way out: each closure is called on the bus thread, in the order that the machine gave.
package struct EffectOutlet: Sendable {
    /// The public state was the first and is the second.
    var publish: @Sendable (PublicState, PublicState) -> Void
    var announce: @Sendable (Effect.Announcement) -> Void
    var ask: @Sendable (AgentOrder) -> Void
    /// Returns when everything is read that has been sent so far, or after a moment in which the bus does not answer.
    var listen: @Sendable () async -> Void
    /// Opens the page of a sign-in in the agent's browser.
    var open: @Sendable (String, SignInPage) async throws(Refusal) -> Void
    /// Tells the caller of `SignIn`, and the agent, what the worker has to do.
    var step: @Sendable (SignInStep, Sender) -> Void
    /// What delays sleep and shutdown is let go of.
    var allowPowerDown: @Sendable () -> Void

    package init(
        publish: @escaping @Sendable (PublicState, PublicState) -> Void,
        announce: @escaping @Sendable (Effect.Announcement) -> Void, ask: @escaping @Sendable (AgentOrder) -> Void,
        listen: @escaping @Sendable () async -> Void,
        open: @escaping @Sendable (String, SignInPage) async throws(Refusal) -> Void,
        step: @escaping @Sendable (SignInStep, Sender) -> Void,
        allowPowerDown: @escaping @Sendable () -> Void = {}
    ) {
        self.publish = publish
        self.announce = announce
        self.ask = ask
        self.listen = listen
        self.open = open
        self.step = step
        self.allowPowerDown = allowPowerDown
    }
}
