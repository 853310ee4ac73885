import BatonContract
package import DBus
package import Logging
package import SessionMachine
package import Supervisor
package import Vocabulary

/// Tells the bus what the supervisor announces; everything here runs on the bus thread, so that the order holds.
extension EffectOutlet {
    /// - Parameter account: What apps are told of the worker who holds the device in that turn.
    package static func bus(
        _ connection: Connection, agent: AgentLink, delay: PowerDownDelay?, log: Logger,
        account: @escaping @Sendable (TurnAccount, Epoch) -> VariantDictionary
    ) -> EffectOutlet {
        @Sendable func report(_ emission: () throws(DBusError) -> Void) {
            do throws(DBusError) {
                try emission()
            } catch {
                log.error("a signal could not be sent", metadata: ["error": "\(error)"])
            }
        }
        return EffectOutlet(
            publish: { old, new in
                let changed = changes(from: old, to: new)
                guard !changed.isEmpty else { return }
                report { () throws(DBusError) in
                    try connection.emitPropertiesChanged(Device1.interface, changed, from: Device1.path)
                }
            },
            announce: { announcement in
                report { () throws(DBusError) in try emit(announcement, on: connection, account) }
            },
            ask: { order in agent.perform(order) },
            // The bus answers after everything that it has passed on before. Twice, since an agent's word waits for the bus to
            // say that the agent is still there.
            listen: { for _ in 1...2 { await connection.catchUp(atMost: .milliseconds(500)) } },
            open: { (url, page) async throws(Refusal) in try await agent.openSignIn(url, page) },
            step: { step, sender in
                // To no other process: an address for signing in is an invitation to sign in as a worker.
                let agent = agent.assumeIsolated { $0.name }
                for name in Set([BusName(sender), agent].compactMap(\.self)) {
                    report { () throws(DBusError) in
                        try connection.emit(Device1.signInStep, step.dictionary, from: Device1.path, to: name)
                    }
                }
            },
            allowPowerDown: { delay?.assumeIsolated { $0.end() } })
    }

    private static func changes(from old: PublicState, to new: PublicState) -> VariantDictionary {
        var changed: VariantDictionary = [:]
        func set<Value>(_ property: Property<Value>, _ value: Value) where Value: VariantConvertible {
            changed[property.name.rawValue] = value.variant
        }
        if old.mode != new.mode { set(Device1.deviceMode, new.mode.rawValue) }
        if old.phase != new.phase { set(Device1.phase, new.phase.rawValue) }
        if old.epoch != new.epoch { set(Device1.epoch, new.epoch) }
        if old.current != new.current { set(Device1.currentAccount, new.currentAccount) }
        if old.previous != new.previous { set(Device1.previousAccount, new.previousAccount) }
        if old.isLocked != new.isLocked { set(Device1.locked, new.isLocked) }
        if old.deadline != new.deadline { set(Device1.deadline, new.deadline) }
        return changed
    }

    private static func emit(
        _ announcement: Effect.Announcement, on connection: Connection,
        _ account: (TurnAccount, Epoch) -> VariantDictionary
    ) throws(DBusError) {
        switch announcement {
        case .signedIn(let epoch, let holder):
            try connection.emit(Device1.signedIn, (epoch, account(holder, epoch)), from: Device1.path)
        case .signingOut(let epoch, let holder, let reason, let deadline):
            try connection.emit(
                Device1.signingOut, (epoch, Account(holder).dictionary, reason.rawValue, deadline), from: Device1.path)
        case .signedOut(let epoch, let holder, let outcome):
            try connection.emit(
                Device1.signedOut, (epoch, Account(holder).dictionary, outcome.rawValue), from: Device1.path)
        case .automaticSignOutPending(let reason, let deadline):
            try connection.emit(Device1.automaticSignOutPending, (reason.rawValue, deadline), from: Device1.path)
        case .automaticSignOutCancelled:
            try connection.emit(Device1.automaticSignOutCancelled, from: Device1.path)
        }
    }
}
