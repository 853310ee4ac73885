import BatonContract
import DBus

/// Everything that batond and the bus tell, in order, over as many connections as it takes.
actor DeviceFeed {
    enum News: Sendable {
        /// batond owns its name on this connection; nil: no process does.
        case owner(Connection, BusName?)
        /// - turn: What the device knows this turn by.
        case signedIn(epoch: Epoch, Account, turn: String?)
        /// A reason that is nil is one that this version does not know.
        case signingOut(epoch: Epoch, Account?, SignOutReason?, deadline: UInt64)
        case signedOut(epoch: Epoch, Account?, Outcome?)
        case automaticSignOutPending(SignOutReason?, deadline: UInt64)
        case automaticSignOutCancelled
        case modeChanged(DeviceMode)
        case phaseChanged(Phase)
    }

    private let bus: BusAddress
    private let thread: BusThread
    private let tell: @Sendable (News) -> Void

    /// The bus thread, so that nothing changes threads in between.
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
                // A later loss is told only as a device that vanished: it comes back or it does not.
                if isFirst, !isPatient { return listening(.failure(error)) }
            }
            // There is no event to wait for: a bus that does not exist cannot announce itself.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    private func listen(on connection: Connection, ready: () -> Void) async throws {
        let news = try await connection.subscribe(to: Self.sources(connection))
        let owner = try await connection.owner(of: Device1.busName)
        ready()
        tell(.owner(connection, owner))
        do {
            for try await items in news {
                for item in items { tell(item) }
            }
        } catch {
            // The connection is lost, or this side was too slow.
        }
        await connection.close()
        tell(.owner(connection, nil))
    }

    /// All in one stream, so that they come in the order of the bus.
    private static func sources(_ connection: Connection) -> [SignalSource<[News]>] {
        [
            source(Device1.signedIn) { values in
                HolderAccount(values.1).map { .signedIn(epoch: values.0, $0.account, turn: $0.turn) }
            },
            source(Device1.signingOut) { values in
                .signingOut(
                    epoch: values.0, Account(values.1), SignOutReason(rawValue: values.2), deadline: values.3)
            },
            source(Device1.signedOut) { values in
                .signedOut(epoch: values.0, Account(values.1), Outcome(rawValue: values.2))
            },
            source(Device1.automaticSignOutPending) { values in
                .automaticSignOutPending(SignOutReason(rawValue: values.0), deadline: values.1)
            },
            source(Device1.automaticSignOutCancelled) { _ in .automaticSignOutCancelled },
            .properties(of: Device1.interface, from: Device1.busName, at: Device1.path) { values in
                let mode = values[Device1.deviceMode.name.rawValue]?.string
                let phase = values[Device1.phase.name.rawValue]?.string.flatMap(Phase.init(rawValue:))
                return (mode.map { [.modeChanged(DeviceMode(rawValue: $0) ?? .unknown)] } ?? [])
                    + (phase.map { [.phaseChanged($0)] } ?? [])
            },
            .owner(of: Device1.busName) { [.owner(connection, $0)] },
        ]
    }

    private static func source<Values>(
        _ signal: Signal<Values>, _ news: @escaping @Sendable (Values) -> News?
    ) -> SignalSource<[News]> {
        SignalSource(signal, from: Device1.busName, at: Device1.path) { received in news(received.values).map { [$0] } }
    }
}
