import Secrets

/// A sign-in with another device (RFC 8628) that waits for the worker.
public struct PendingDevice: Sendable {
    /// What the worker types in there.
    public let userCode: String
    public let verificationURI: String
    /// With the code in it, for a QR code.
    public let verificationURIComplete: String?
    /// Unix time in seconds.
    public let expires: Int64
    /// Seconds between two questions.
    public let interval: Int64
    public let correlationID: String

    let deviceCode: Secret
    let expectation: RelyingParty.Expectation
}

extension PendingDevice: CustomStringConvertible, CustomReflectable {
    // Who reads the user code can sign in in the worker's place.
    public var description: String { "<device sign-in \(correlationID)>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
