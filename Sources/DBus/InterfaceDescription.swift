/// What introspection tells about an interface; made from the declarations.
public struct InterfaceDescription: Hashable, Sendable {
    public struct Argument: Hashable, Sendable {
        public let name: String
        public let signature: String
        /// See `DBusValue.manual`.
        public let manual: String?
    }

    public struct Method: Hashable, Sendable {
        public let name: MemberName
        public let input: [Argument]
        public let output: [Argument]
    }

    public struct Signal: Hashable, Sendable {
        public let name: MemberName
        public let arguments: [Argument]
    }

    public struct Property: Hashable, Sendable {
        public let name: MemberName
        public let signature: String
        public let announcement: PropertyAnnouncement
        public let access: PropertyAccess
    }

    public let name: InterfaceName
    public private(set) var methods: [Method] = []
    public private(set) var signals: [Signal] = []
    public private(set) var properties: [Property] = []

    public init(_ name: InterfaceName) {
        self.name = name
    }

    public mutating func add<Input, Output>(_ method: DBus.Method<Input, Output>) {
        methods.append(
            Method(
                name: method.name, input: Self.arguments(method.input), output: Self.arguments(method.output)))
    }

    public mutating func add<Values>(_ signal: DBus.Signal<Values>) {
        signals.append(Signal(name: signal.name, arguments: Self.arguments(signal.arguments)))
    }

    public mutating func add<Value>(_ property: DBus.Property<Value>) {
        properties.append(
            Property(
                name: property.name, signature: Value.signature, announcement: property.announcement,
                access: property.access))
    }

    private static func arguments<Values>(_ list: Arguments<Values>) -> [Argument] {
        list.declarations.map { Argument(name: $0.name, signature: $0.signature, manual: $0.manual) }
    }
}
