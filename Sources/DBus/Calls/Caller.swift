/// Who called a method, as the bus says, never as the caller says.
public struct Caller: Sendable {
    public let connection: Connection
    /// The unique name; it is never used again while this bus lives.
    public let name: BusName
    /// The object that was called.
    public let path: ObjectPath
    /// The caller waits while a person is asked, as for a password; see `CallOptions.allowInteraction`.
    public let allowsInteraction: Bool

    package init(connection: Connection, name: BusName, path: ObjectPath, allowsInteraction: Bool = false) {
        self.connection = connection
        self.name = name
        self.path = path
        self.allowsInteraction = allowsInteraction
    }

    /// User, process and groups; see `Connection.credentials(of:)`.
    public var credentials: Credentials {
        get async throws { try await connection.credentials(of: name) }
    }
}
