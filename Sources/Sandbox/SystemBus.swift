/// Where a program finds the system bus, in a sandbox as outside. See the D-Bus Specification, Well-known Message Bus Instances.
enum SystemBus {
    static let path = "/run/dbus/system_bus_socket"
    static let address = "unix:path=\(path)"
}
