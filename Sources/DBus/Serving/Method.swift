/// A method, declared once: the server answers it, the client calls it, the introspection follows from it.
public struct Method<Input: Sendable, Output: Sendable>: Sendable {
    public let interface: InterfaceName
    public let name: MemberName
    public let input: Arguments<Input>
    public let output: Arguments<Output>

    public init(
        _ interface: InterfaceName, _ name: MemberName, takes input: Arguments<Input>, gives output: Arguments<Output>
    ) {
        self.interface = interface
        self.name = name
        self.input = input
        self.output = output
    }
}

extension Method where Input == Void {
    public init(_ interface: InterfaceName, _ name: MemberName, gives output: Arguments<Output>) {
        self.init(interface, name, takes: Arguments(), gives: output)
    }
}

extension Method where Output == Void {
    public init(_ interface: InterfaceName, _ name: MemberName, takes input: Arguments<Input>) {
        self.init(interface, name, takes: input, gives: Arguments())
    }
}

extension Method where Input == Void, Output == Void {
    public init(_ interface: InterfaceName, _ name: MemberName) {
        self.init(interface, name, takes: Arguments(), gives: Arguments())
    }
}
