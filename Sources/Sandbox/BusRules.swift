import BatonContract
import DBus

/// What a sandboxed app may call of Baton, member by member, as arguments of xdg-dbus-proxy: what apps use, and nothing of what
/// the agent tells batond or administrators ask of it.
enum BusRules {
    static let baton: [String] = {
        let name = Device1.busName.rawValue
        let path = Device1.path.rawValue
        let members = [Interfaces.device1, Interfaces.participants, Interfaces.tokens].flatMap { interface in
            interface.methods.map { "\(interface.name.rawValue).\($0.name.rawValue)" }
        }
        let standard = [
            "org.freedesktop.DBus.Properties.Get", "org.freedesktop.DBus.Properties.GetAll",
            "org.freedesktop.DBus.Introspectable.Introspect", "org.freedesktop.DBus.Peer.Ping",
        ]
        let signals =
            Interfaces.device1.signals.map { "\(Interfaces.device1.name.rawValue).\($0.name.rawValue)" }
            + ["org.freedesktop.DBus.Properties.PropertiesChanged"]
        return (members + standard).map { "--call=\(name)=\($0)@\(path)" }
            + signals.map { "--broadcast=\(name)=\($0)@\(path)" }
    }()
}
