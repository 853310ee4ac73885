/// A sign-in that waits for the browser; what is secret about it stays with the client.
public struct PendingAuthorization: Sendable {
    /// The page to open.
    public let url: String
    /// Names the sign-in; the redirect has it too.
    public let state: String
    /// Unix time in seconds.
    public let expires: Int64
    public let correlationID: String
}

extension PendingAuthorization: CustomStringConvertible, CustomReflectable {
    // The page's address may have a hint with the worker's name in it.
    public var description: String { "<sign-in \(correlationID)>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
