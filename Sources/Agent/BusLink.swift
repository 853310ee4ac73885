internal import BatonContract
internal import DBus

/// The agent's side of `org.baton.Device1.Agent`.
struct BusLink: SupervisorLink {
    let connection: Connection

    func credentials(of name: String) async throws -> ConnectionCredentials? {
        guard let name = BusName(name) else { return nil }
        do {
            let credentials = try await connection.credentials(of: name)
            return ConnectionCredentials(user: credentials.uid, pid: UInt32(clamping: credentials.pid ?? 0))
        } catch let error as DBusError where error.name == .nameHasNoOwner {
            return nil
        }
    }

    func register() async throws {
        _ = try await connection.call(
            DeviceAgent.register, [:], to: Device1.busName, at: Device1.path, options: .noAutoStart)
    }

    func processExited(_ instance: UInt64) async throws {
        try await connection.call(
            DeviceAgent.processExited, instance, to: Device1.busName, at: Device1.path, options: .noAutoStart)
    }
}
