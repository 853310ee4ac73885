public import Vocabulary

/// A sign-in that the provider runs.
public struct SignInPlan: Hashable, Sendable {
    public var attempt: Attempt
    /// The call whose request it is. What was asked for stays outside: it may hold a PIN, and the machine holds no secrets.
    public var call: Call
    public var sender: Sender
    /// The worker who holds the device and shall prove themselves again; nil: the device is free.
    public var holder: TurnAccount?
}
