package import DBus

extension BusAddress {
    /// For people, inside a sentence.
    package var text: String {
        switch self {
        case .system: "the system bus"
        case .session: "the session bus"
        case .address(let address): "the bus at \(address)"
        }
    }

    /// What starts a batond there.
    package var startCommand: String {
        switch self {
        case .system: "systemctl start batond"
        case .session: "batond --session"
        case .address(let address): "batond --bus \(address)"
        }
    }
}
