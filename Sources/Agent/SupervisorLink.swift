public import Vocabulary

/// What the agent needs from the bus; the bus adapter provides it, tests stand in for it.
public protocol SupervisorLink: Sendable {
    /// Who a connection is, from the bus itself; nil when it is not on the bus any more.
    func credentials(of connection: String) async throws -> ConnectionCredentials?
    /// Which journal the supervisor writes now.
    func journal() async throws -> SupervisorJournal
    /// Registers this agent with the supervisor.
    ///
    /// - Parameter watching: The registrations whose processes it has hold of.
    /// - Returns: Which journal the supervisor writes.
    func register(watching: [Instance]) async throws -> SupervisorJournal
    /// Tells the supervisor that the process of a registration is gone; returns when it has taken note.
    func processExited(_ instance: Instance) async throws
}

/// Which journal the supervisor writes.
public struct SupervisorJournal: Sendable, Equatable {
    public var id: String
    /// The one whose open turn this one ends, as after a loss: its registrations have the same numbers here. Nil: none.
    public var before: String?

    public init(_ id: String, before: String? = nil) {
        self.id = id
        self.before = before
    }
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
