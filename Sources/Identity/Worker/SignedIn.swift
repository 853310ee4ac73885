public import WebText

/// A sign-in that succeeded, of an account that the settings allow.
public struct SignedIn: Sendable {
    public let identity: WorkerIdentity
    /// What the verified ID token says, or userinfo where there is no ID token.
    public let claims: [String: JSONValue]
    public let session: WorkerSession
}
