internal import BatonContract
internal import DBus

/// Everything that batond and the bus tell, in order, over as many connections as it takes.
actor DeviceFeed {
    enum News: Sendable {
        /// batond owns its name on this connection; nil: nobody does.
        case owner(Connection, BusName?)
        case signedIn(epoch: UInt64, Account)
        case signingOut(epoch: UInt64, Account?, SignOutReason, deadline: UInt64)
        case signedOut(epoch: UInt64, Account?, Outcome?)
        case automaticSignOutPending(SignOutReason, deadline: UInt64)
        case automaticSignOutCancelled
        case modeChanged(DeviceMode)
        case phaseChanged(Phase)
    }

    private let bus: BusAddress
    private let thread: BusThread
    private let tell: @Sendable (News) -> Void

    /// The bus thread: signals of different kinds keep their order because nothing changes threads in between.
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(bus: BusAddress, thread: BusThread, tell: @escaping @Sendable (News) -> Void) {
        self.bus = bus
        self.thread = thread
        self.tell = tell
    }

    /// Tells until the task is cancelled; a bus that is gone is tried again, soon at first and then every few seconds.
    ///
    /// - Parameter isPatient: A bus that is not there at the beginning is tried again too.
    /// - Parameter listening: Called once, when the first connection listens, or could not: then this returns.
    func run(isPatient: Bool = false, listening: (Result<Void, any Error>) -> Void) async {
        var pause = Duration.milliseconds(100)
        var isFirst = true
        while !Task.isCancelled {
            do {
                let connection = try await Connection.open(bus, on: thread)
                try await listen(on: connection) {
                    if isFirst { listening(.success(())) }
                    isFirst = false
                    pause = .milliseconds(100)
                }
            } catch {
                // Nobody is told of a later loss but as a device that vanished: it comes back or it does not.
                if isFirst, !isPatient { return listening(.failure(error)) }
            }
            // There is no event to wait for: a bus that does not exist cannot announce itself.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    private func listen(on connection: Connection, ready: () -> Void) async throws {
        let signedIn = try await stream(Device1.signedIn, connection)
        let signingOut = try await stream(Device1.signingOut, connection)
        let signedOut = try await stream(Device1.signedOut, connection)
        let pending = try await stream(Device1.automaticSignOutPending, connection)
        let cancelled = try await stream(Device1.automaticSignOutCancelled, connection)
        let properties = try await connection.propertyChanges(
            of: Device1.interface, from: Device1.busName, at: Device1.path)
        let owners = try await connection.owners(of: Device1.busName)
        ready()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.forward(signedIn) { values in
                    Account(values.1).map { .signedIn(epoch: values.0, $0) }
                }
            }
            group.addTask {
                await self.forward(signingOut) { values in
                    .signingOut(
                        epoch: values.0, Account(values.1), SignOutReason(rawValue: values.2) ?? .user,
                        deadline: values.3)
                }
            }
            group.addTask {
                await self.forward(signedOut) { values in
                    .signedOut(epoch: values.0, Account(values.1), Outcome(rawValue: values.2))
                }
            }
            group.addTask {
                await self.forward(pending) { values in
                    .automaticSignOutPending(SignOutReason(rawValue: values.0) ?? .idle, deadline: values.1)
                }
            }
            group.addTask {
                await self.forward(cancelled) { _ in .automaticSignOutCancelled }
            }
            group.addTask { await self.forward(properties) }
            group.addTask { await self.forward(owners, of: connection) }
            // The first stream that ends says that the connection is lost, or that this side was too slow.
            await group.next()
            group.cancelAll()
        }
        await connection.close()
        tell(.owner(connection, nil))
    }

    private func stream<Values>(
        _ signal: Signal<Values>, _ connection: Connection
    ) async throws -> SignalStream<Values> {
        try await connection.subscribe(to: signal, from: Device1.busName, at: Device1.path)
    }

    private func forward<Values>(_ signals: SignalStream<Values>, _ news: (Values) -> News?) async {
        do {
            for try await signal in signals {
                if let news = news(signal.values) { tell(news) }
            }
        } catch {
            // The end of one stream ends them all.
        }
    }

    private func forward(_ changes: SignalStream<(String, VariantDictionary, [String])>) async {
        do {
            for try await change in changes {
                let values = change.values.1
                if let mode = values[Device1.deviceMode.name.rawValue]?.string {
                    tell(.modeChanged(DeviceMode(rawValue: mode) ?? .unknown))
                }
                if let phase = values[Device1.phase.name.rawValue]?.string.flatMap(Phase.init(rawValue:)) {
                    tell(.phaseChanged(phase))
                }
            }
        } catch {
            // The end of one stream ends them all.
        }
    }

    private func forward(_ owners: OwnerStream, of connection: Connection) async {
        do {
            for try await owner in owners { tell(.owner(connection, owner)) }
        } catch {
            // The end of one stream ends them all.
        }
    }
}
