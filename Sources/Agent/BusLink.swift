internal import BatonContract
internal import DBus
internal import Secrets

/// The agent's side of `org.baton.Device1.Agent`.
struct BusLink: SupervisorLink {
    let connection: Connection
    /// What batond handed to the agent that it started; nil when somebody else started this one.
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

    func journalID() async throws -> String {
        let information = try await connection.call(
            Device1.getDeviceInformation, to: Device1.busName, at: Device1.path, options: .noAutoStart)
        return DeviceInformation(information).journalID
    }

    func register() async throws -> String {
        var options: VariantDictionary = [:]
        if let credential {
            let file = OwnedDescriptor(owning: try SealedMemory.make(credential, name: "credential"))
            options["credential"] = .descriptor(file)
        }
        let answer = try await connection.call(
            DeviceAgent.register, options, to: Device1.busName, at: Device1.path, options: .noAutoStart)
        return answer["journal-id"]?.string ?? ""
    }

    func processExited(_ instance: UInt64) async throws {
        try await connection.call(
            DeviceAgent.processExited, instance, to: Device1.busName, at: Device1.path, options: .noAutoStart)
    }
}
