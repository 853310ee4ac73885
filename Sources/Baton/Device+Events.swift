import BatonContract
import DBus

extension Device {
    /// What happens on the device from now on, beginning with how it stands.
    ///
    /// The first events are `appeared` with the mode, the worker who holds the device, if any, and the phase; or
    /// `vanished`. Sign-ins and sign-outs are told once for each turn, also when batond or the bus was away meanwhile
    /// and signals were lost, and when the same worker leaves and comes back. It never ends by itself.
    /// - Throws: `DeviceError.noDaemon` when there is no bus.
    public func events() async throws -> AsyncStream<DeviceEvent> {
        let (events, eventsIn) = AsyncStream.makeStream(of: DeviceEvent.self)
        let (news, newsIn) = AsyncStream.makeStream(of: DeviceFeed.News.self)
        let feed = DeviceFeed(bus: bus, thread: connection.thread) { newsIn.yield($0) }
        let (listening, listeningIn) = AsyncThrowingStream.makeStream(of: Void.self)
        let worker = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await feed.run { result in
                        if case .failure(let error) = result { listeningIn.finish(throwing: error) }
                        if case .success = result { listeningIn.yield(()) }
                    }
                    listeningIn.finish()
                    newsIn.finish()
                }
                var watch = TurnWatch()
                for await item in news {
                    for event in await watch.events(of: item) { eventsIn.yield(event) }
                }
                group.cancelAll()
            }
            eventsIn.finish()
        }
        eventsIn.onTermination = { _ in worker.cancel() }
        try await translating {
            for try await _ in listening { return }
        }
        return events
    }
}

extension TurnWatch {
    fileprivate mutating func events(of news: DeviceFeed.News) async -> [DeviceEvent] {
        switch news {
        case .owner(_, nil): vanished()
        case .owner(let connection, _?):
            // Gone again before it answered: then another owner comes, or none.
            if let snapshot = await Snapshot(connection) { read(snapshot) } else { [] }
        case .signedIn(let epoch, let account, _): signedIn(epoch, account)
        case .signingOut(let epoch, let account, let reason, let deadline):
            signingOut(epoch, account, reason, deadline)
        case .signedOut(let epoch, let account, let outcome): signedOut(epoch, account, outcome)
        case .automaticSignOutPending(let reason, let deadline):
            [.automaticSignOutPending(reason: reason, deadline: deadline)]
        case .automaticSignOutCancelled: [.automaticSignOutCancelled]
        case .modeChanged(let mode): changed(mode)
        case .phaseChanged(let phase): changed(phase)
        }
    }
}

extension TurnWatch.Snapshot {
    fileprivate init?(_ connection: Connection) async {
        let device = Proxy(connection, Device1.busName, Device1.path)
        guard let values = try? await device.getAll(Device1.interface) else { return nil }
        self.init(
            mode: DeviceMode(rawValue: values[Device1.deviceMode.name.rawValue]?.string ?? "") ?? .unknown,
            phase: Phase(rawValue: values[Device1.phase.name.rawValue]?.string ?? "") ?? .quarantined,
            epoch: values[Device1.epoch.name.rawValue].flatMap(Epoch.init) ?? 0,
            current: Account(values[Device1.currentAccount.name.rawValue]?.dictionary ?? [:]))
    }
}
