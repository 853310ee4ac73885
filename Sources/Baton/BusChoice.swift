internal import BatonContract
internal import DBus
internal import Glibc

/// What the bus itself tells about names.
enum BusNames {
    static let bus: BusName = "org.freedesktop.DBus"
    static let path: ObjectPath = "/org/freedesktop/DBus"
    static let interface: InterfaceName = "org.freedesktop.DBus"

    static let nameHasOwner = Method(
        interface, "NameHasOwner", takes: Arguments(("name", String.self)), gives: Arguments(("owned", Bool.self)))
    static let getNameOwner = Method(
        interface, "GetNameOwner", takes: Arguments(("name", String.self)), gives: Arguments(("owner", String.self)))
    static let getUser = Method(
        interface, "GetConnectionUnixUser", takes: Arguments(("name", String.self)),
        gives: Arguments(("uid", UInt32.self)))
    static let listActivatableNames = Method(
        interface, "ListActivatableNames", gives: Arguments(("names", [String].self)))
}

/// Finds the bus that Baton is on.
enum BusChoice {
    /// What `BATON_BUS` says; nil: nothing.
    static func named(_ value: String?) -> BusAddress? {
        switch value {
        case nil, "": nil
        case "system": .system
        case "session": .session
        case let address?: .address(address)
        }
    }

    static func fromEnvironment() async throws -> Device {
        if let value = variable("BATON_BUS"), let bus = named(value) {
            do {
                return try await Device.open(bus)
            } catch DeviceError.noDaemon(let reason) {
                throw DeviceError.noDaemon(
                    "BATON_BUS is '\(value)', and there is no such bus (\(reason)); use system, session or a bus's address"
                )
            }
        }
        // Only the system decides who has that name on its bus. On the session's any program of the user may, which would be
        // handed the next worker's PIN.
        let system = try? await Device.open(.system)
        if let system, await system.isReachable { return system }
        // Neither has it: whoever has a session waits for its batond there.
        if variable("DBUS_SESSION_BUS_ADDRESS") != nil, let session = try? await Device.open(.session) {
            return session
        }
        if let system { return system }
        return try await Device.open(.system)
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

extension Device {
    /// Baton's name is owned on this bus, or the bus can start it.
    fileprivate var isReachable: Bool {
        get async {
            if (try? await isPresent()) == true { return true }
            let names = try? await call(BusNames.listActivatableNames, (), to: BusNames.bus, at: BusNames.path)
            return names?.contains(Device1.busName.rawValue) ?? false
        }
    }
}
