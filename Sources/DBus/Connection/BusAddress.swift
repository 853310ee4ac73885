import Glibc

/// Which bus to connect to.
public enum BusAddress: Hashable, Sendable {
    /// `DBUS_SESSION_BUS_ADDRESS`, else the user's bus in `XDG_RUNTIME_DIR`.
    case session
    /// `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket.
    case system
    /// An address in the notation of the D-Bus specification, such as `unix:path=/run/bus`.
    case address(String)

    /// The address itself; nil when the environment does not tell.
    var resolved: String? {
        switch self {
        case .session:
            environment("DBUS_SESSION_BUS_ADDRESS") ?? environment("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
        case .system: environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .address(let address): address
        }
    }

    private func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
