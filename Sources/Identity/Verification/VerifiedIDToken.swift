public import WebText

/// What an ID token says after everything about it was verified.
public struct VerifiedIDToken: Sendable {
    public var claims: [String: JSONValue]
    public var identity: WorkerIdentity

    public init(claims: [String: JSONValue], identity: WorkerIdentity) {
        self.claims = claims
        self.identity = identity
    }
}
