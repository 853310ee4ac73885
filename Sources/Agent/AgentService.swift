internal import BatonContract
internal import DBus
internal import Glibc
public import Logging
public import ServiceLifecycle

/// baton-agent as a service: joins the bus, registers with batond whenever there is one, and does what it asks.
public struct AgentService: Service {
    /// Which bus, and so which user batond must be.
    public enum Bus: Sendable {
        case session, system
        case address(String)
    }

    /// Why the agent does not run.
    public enum Fault: Error, Sendable {
        case noBus(String)
        case noWatch
        /// There is no user `baton`, who alone may be the supervisor on the system bus.
        case noSupervisorUser
    }

    private let bus: Bus
    private let log: Logger

    public init(bus: Bus, log: Logger) {
        self.bus = bus
        self.log = log
    }

    public func run() async throws {
        guard let watch = ProcessWatch() else { throw Fault.noWatch }
        Self.raiseDescriptorLimit()
        let connection: Connection
        do {
            connection = try await Connection.open(address)
        } catch {
            throw Fault.noBus("\(error)")
        }
        let agent = Agent(
            link: BusLink(connection: connection), watch: watch, expectedUser: try expectedUser, logger: log)
        var object = ServedObject()
        AgentAdapter(agent: agent).serve(on: &object)
        try await connection.serve(object, at: Agent1.path)
        let owners = try await connection.owners(of: Device1.busName)

        let lost: (any Error)? = await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                await agent.run()
                return nil
            }
            group.addTask {
                do {
                    try await Self.follow(owners, agent)
                    return nil
                } catch {
                    return error
                }
            }
            group.addTask {
                do {
                    try await connection.waitUntilClosed()
                    return nil
                } catch {
                    return error
                }
            }
            group.addTask {
                try? await gracefulShutdown()
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        await connection.close()
        if let lost { throw Fault.noBus("\(lost)") }
    }

    /// Each owner gets a task of its own: a registration that is refused is tried again until the owner changes.
    private static func follow(_ owners: OwnerStream, _ agent: Agent) async throws {
        var attempt: Task<Void, Never>?
        defer { attempt?.cancel() }
        for try await owner in owners {
            attempt?.cancel()
            attempt = Task { await agent.supervisorChanged(to: owner?.rawValue) }
        }
    }

    private var address: BusAddress {
        switch bus {
        case .session: .session
        case .system: .system
        case .address(let address): .address(address)
        }
    }

    private var expectedUser: UInt32 {
        get throws {
            guard case .system = bus else { return geteuid() }
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            var buffer = [CChar](repeating: 0, count: 1 << 16)
            guard getpwnam_r("baton", &entry, &buffer, buffer.count, &found) == 0, found != nil else {
                throw Fault.noSupervisorUser
            }
            return entry.pw_uid
        }
    }

    /// Each watched process holds a descriptor.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
