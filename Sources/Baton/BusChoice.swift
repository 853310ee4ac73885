import BatonContract
import DBus
import Glibc

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
        return try await choose(
            system: .system, session: variable("DBUS_SESSION_BUS_ADDRESS") == nil ? nil : .session, policies: policies)
    }

    /// Where the bus's policy for Baton lies on a machine on which it is installed: the bus reads no other places.
    static let policies = ["/usr/share", "/etc"].map { "\($0)/dbus-1/system.d/\(Device1.busName.rawValue).conf" }

    fileprivate static func isInstalled(_ policies: [String]) -> Bool { policies.contains { access($0, F_OK) == 0 } }

    /// - Parameter session: nil: there is none.
    /// - Parameter policies: A file at one of these paths says that Baton is installed.
    static func choose(system: BusAddress, session: BusAddress?, policies: [String]) async throws -> Device {
        // Only the system decides who has that name on its bus. On the session's any program of the user may, which would be
        // handed the next worker's PIN: on a terminal neither a missing bus nor a full one leads there.
        guard let session, !isInstalled(policies) else { return try await Device.open(system) }
        let device = try? await Device.open(system)
        if let device, await device.isReachable { return device }
        // Neither has it: a program with a session bus waits for batond there.
        if let other = try? await Device.open(session) { return other }
        if let device { return device }
        return try await Device.open(system)
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

extension Device {
    /// Baton is installed on this machine, for the system bus: only `BATON_BUS` leads to another one.
    package static var isInstalled: Bool { BusChoice.isInstalled(BusChoice.policies) }

    /// Baton's name is owned on this bus, or the bus can start it, or the bus does not say.
    fileprivate var isReachable: Bool {
        get async {
            do {
                if try await isPresent() { return true }
                let names = try await call(BusNames.listActivatableNames, (), to: BusNames.bus, at: BusNames.path)
                return names.contains(Device1.busName.rawValue)
            } catch {
                return true
            }
        }
    }
}
