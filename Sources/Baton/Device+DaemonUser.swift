import DBus

extension Device {
    /// The user who owns batond's name; nil: no user does.
    package func daemonUser() async throws -> UInt32? {
        guard try await isPresent() else { return nil }
        return try await call(
            BusNames.getUser, Device1.busName.rawValue, to: BusNames.bus, at: BusNames.path)
    }
}
