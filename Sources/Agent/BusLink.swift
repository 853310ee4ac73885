import BatonContract
import DBus
import Secrets
import Vocabulary

/// The agent's side of `org.baton.Device1.Agent`.
struct BusLink: SupervisorLink {
    let connection: Connection
    /// What batond handed to the agent that it started; nil if another program started this one.
    let credential: Secret?

    func credentials(of name: String) async throws -> ConnectionCredentials? {
        guard let name = BusName(name) else { return nil }
        do {
            let credentials = try await connection.credentials(of: name)
            return ConnectionCredentials(user: credentials.uid, pid: UInt32(clamping: credentials.pid ?? 0))
        } catch let error as DBusError where error.name == .nameHasNoOwner {
            return nil
        }
    }

    func journal() async throws -> SupervisorJournal {
        let information = try await connection.call(
            Device1.getDeviceInformation, to: Device1.busName, at: Device1.path, options: .noAutoStart)
        return SupervisorJournal(DeviceInformation(information))
    }

    func register(watching: [Instance]) async throws -> SupervisorJournal {
        var registration = AgentRegistration(watching: watching)
        registration.credential = try credential.map {
            OwnedDescriptor(owning: try SealedMemory.make($0, name: "credential"))
        }
        return SupervisorJournal(
            try await connection.call(
                DeviceAgent.register, registration, to: Device1.busName, at: Device1.path, options: .noAutoStart))
    }

    func processExited(_ instance: Instance) async throws {
        try await connection.call(
            DeviceAgent.processExited, instance, to: Device1.busName, at: Device1.path, options: .noAutoStart)
    }
}

extension SupervisorJournal {
    fileprivate init(_ welcome: AgentWelcome) { self.init(welcome.journalID, before: welcome.journalBefore) }

    fileprivate init(_ information: DeviceInformation) {
        self.init(information.journalID, before: information.journalBefore)
    }
}
