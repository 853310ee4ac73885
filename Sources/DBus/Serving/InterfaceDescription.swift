/// What introspection tells about an interface; made from the declarations.
public struct InterfaceDescription: Hashable, Sendable {
    public struct ArgumentDescription: Hashable, Sendable {
        public let name: String
        public let signature: String
        /// See `DBusValue.manual`.
        public let manual: String?
    }

    public struct MethodDescription: Hashable, Sendable {
        public let name: MemberName
        public let input: [ArgumentDescription]
        public let output: [ArgumentDescription]
    }

    public struct SignalDescription: Hashable, Sendable {
        public let name: MemberName
        public let arguments: [ArgumentDescription]
    }

    public struct PropertyDescription: Hashable, Sendable {
        public let name: MemberName
        public let signature: String
        public let announcement: PropertyAnnouncement
        public let access: PropertyAccess
    }

    public let name: InterfaceName
    public private(set) var methods: [MethodDescription] = []
    public private(set) var signals: [SignalDescription] = []
    public private(set) var properties: [PropertyDescription] = []

    public init(_ name: InterfaceName) {
        self.name = name
    }

    public mutating func add<Input, Output>(_ method: Method<Input, Output>) {
        methods.append(
            MethodDescription(
                name: method.name, input: Self.arguments(method.input), output: Self.arguments(method.output)))
    }

    public mutating func add<Values>(_ signal: Signal<Values>) {
        signals.append(SignalDescription(name: signal.name, arguments: Self.arguments(signal.arguments)))
    }

    public mutating func add<Value>(_ property: Property<Value>) {
        properties.append(
            PropertyDescription(
                name: property.name, signature: Value.signature, announcement: property.announcement,
                access: property.access))
    }

    private static func arguments<Values>(_ list: Arguments<Values>) -> [ArgumentDescription] {
        list.declarations.map { ArgumentDescription(name: $0.name, signature: $0.signature, manual: $0.manual) }
    }
}
