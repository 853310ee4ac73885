/// What the agent needs from the bus; the bus adapter provides it, tests stand in for it.
public protocol SupervisorLink: Sendable {
    /// Who a connection is, from the bus itself; nil when it is not on the bus any more.
    func credentials(of connection: String) async throws -> ConnectionCredentials?
    /// Which journal the supervisor writes now.
    func journalID() async throws -> String
    /// Registers this agent with the supervisor.
    ///
    /// - Returns: Which journal the supervisor writes.
    func register() async throws -> String
    /// Tells the supervisor that the process of a registration is gone; returns when it has taken note.
    func processExited(_ instance: UInt64) async throws
}

/// A connection's user and process as the bus knows them.
public struct ConnectionCredentials: Sendable, Equatable {
    public var user: UInt32
    public var pid: UInt32

    public init(user: UInt32, pid: UInt32) {
        self.user = user
        self.pid = pid
    }
}
