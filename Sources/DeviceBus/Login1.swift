import DBus

/// The part of systemd-logind that delays sleep and shutdown; see org.freedesktop.login1(5).
enum Login1 {
    static let busName: BusName = "org.freedesktop.login1"
    static let path: ObjectPath = "/org/freedesktop/login1"
    static let interface: InterfaceName = "org.freedesktop.login1.Manager"

    static let inhibit = Method(
        interface, "Inhibit",
        takes: Arguments(
            ("what", String.self), ("who", String.self), ("why", String.self), ("mode", String.self)),
        gives: Arguments(("fd", OwnedDescriptor.self)))
    static let sleep = Signal(interface, "PrepareForSleep", Arguments(("start", Bool.self)))
    static let shutdown = Signal(interface, "PrepareForShutdown", Arguments(("start", Bool.self)))
    static let isGoingToSleep = Property<Bool>(interface, "PreparingForSleep")
    static let isShuttingDown = Property<Bool>(interface, "PreparingForShutdown")
    /// In microseconds.
    static let delay = Property<UInt64>(interface, "InhibitDelayMaxUSec")
}
