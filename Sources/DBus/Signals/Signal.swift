/// A signal, declared once: the server emits it, the client subscribes to it, the introspection follows from it.
public struct Signal<Values: Sendable>: Sendable {
    public let interface: InterfaceName
    public let name: MemberName
    public let arguments: Arguments<Values>

    public init(_ interface: InterfaceName, _ name: MemberName, _ arguments: Arguments<Values>) {
        self.interface = interface
        self.name = name
        self.arguments = arguments
    }
}

extension Signal where Values == Void {
    public init(_ interface: InterfaceName, _ name: MemberName) {
        self.init(interface, name, Arguments())
    }
}
