import Baton
import DBus
import Glibc
import LinuxSystem
public import Logging
import Sandbox
public import Secrets
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
        /// The supervisor has another journal than this agent has worked for: another agent has to start.
        case outlived
        /// The session that this agent has looked at when it started is not the one that is there: another agent has to start.
        case otherSession
    }

    private let bus: Bus
    private let credential: Secret?
    private let log: Logger
    /// What the service manager says.
    private let service: [String: String]

    /// - Parameters:
    ///   - credential: What batond handed to the agent that it started, if it did.
    ///   - service: NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID of the environment, as far as they are there.
    public init(bus: Bus, credential: Secret? = nil, service: [String: String] = [:], log: Logger) {
        self.bus = bus
        self.service = service
        self.credential = credential
        self.log = log
    }

    public func run() async throws {
        guard let watch = ProcessWatch() else { throw Fault.noWatch }
        // Each watched process holds a descriptor.
        DescriptorLimit.raise()
        let connection: Connection
        do {
            var options = ConnectionOptions.standard(for: address)
            // The supervisor asks for everything, and never for so much at a time.
            options.maximumCallsPerSender = 256
            connection = try await Connection.open(address, options: options)
        } catch {
            throw Fault.noBus("\(error)")
        }
        let agent = Agent(
            link: BusLink(connection: connection, credential: credential), watch: watch, expectedUser: try expectedUser,
            logger: log, notes: StopNotes(folder: Surroundings().folder))
        let readiness = DesktopSessionReadiness(environment: Surroundings().environment)
        let missing: Set<String>
        if case .system = bus {
            missing = await cancelWhenGracefulShutdown { await readiness.wait(atMost: Self.patience) }
            for what in missing.sorted() {
                log.warning("not there when the agent started", metadata: ["what": "\(what)"])
            }
        } else {
            // Who starts an agent in a session has that session.
            missing = []
        }
        let kiosk = await DesktopSession(connection, bus: address, log: log) {
            // Nor is the supervisor itself a stray.
            let supervisor = await agent.supervisorProcess
            return await agent.participatingProcesses.union(supervisor.map { [$0] } ?? [])
        }.kiosk
        var object = ServedObject()
        Agent1Adapter(agent: agent, kiosk: kiosk).serve(on: &object)
        try await connection.serve(object, at: Agent1.path)
        let owners = try await connection.owners(of: Device1.busName)

        let lost: (any Error)? = await withTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                await agent.run()
                return nil
            }
            group.addTask {
                await Self.follow(address, kiosk)
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
            group.addTask {
                await agent.untilOutlived()
                return Fault.outlived
            }
            if let interval = Watchdog.interval(service) {
                group.addTask {
                    await Self.liveSigns(every: interval, of: agent, and: kiosk, to: service["NOTIFY_SOCKET"])
                    return nil
                }
            }
            if case .system = bus {
                group.addTask {
                    await readiness.untilOutdated(missing, kiosk)
                    return Task.isCancelled ? nil : Fault.otherSession
                }
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        // Also when the bus is lost: no agent would be there any more to sign the worker out.
        await kiosk.close()
        await connection.close()
        if let fault = lost as? Fault { throw fault }
        if let lost { throw Fault.noBus("\(lost)") }
    }

    /// Tells systemd again and again that the agent lives, until cancelled: that the bus's side of it and the session's come round
    /// to it.
    private static func liveSigns(every interval: Duration, of agent: Agent, and kiosk: Kiosk, to socket: String?) async
    {
        let notice = ReadyNotice(socketPath: socket)
        while (try? await OwnTasks.sleep(for: interval)) != nil {
            _ = await agent.supervisorProcess
            _ = await kiosk.holder
            notice.send("WATCHDOG=1")
        }
    }

    /// How long a session that is just being started may take.
    private static let patience = Duration.seconds(15)

    /// Each owner gets a task of its own: a registration that is refused is tried again until the owner changes.
    private static func follow(_ owners: OwnerStream, _ agent: Agent) async throws {
        var attempt: Task<Void, Never>?
        defer { attempt?.cancel() }
        for try await owner in owners {
            attempt?.cancel()
            attempt = Task { await agent.supervisorChanged(to: owner?.rawValue) }
        }
    }

    /// What happens on the device goes to the kiosk, as long as the agent runs.
    private static func follow(_ bus: BusAddress, _ kiosk: Kiosk) async {
        while !Task.isCancelled {
            do {
                let device = try await Device.connect(bus)
                for await event in try await device.events() { await kiosk.heard(event) }
            } catch {
                // The bus is gone, and the agent's own connection says so.
            }
            try? await OwnTasks.sleep(for: .seconds(1))
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
            guard let supervisor = UserAccount(named: "baton") else { throw Fault.noSupervisorUser }
            return supervisor.id
        }
    }
}
