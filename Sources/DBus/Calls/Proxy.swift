/// An object of another connection.
public struct Proxy: Sendable {
    public let connection: Connection
    public let destination: BusName
    public let path: ObjectPath
    public var options: CallOptions

    public init(_ connection: Connection, _ destination: BusName, _ path: ObjectPath, options: CallOptions = []) {
        self.connection = connection
        self.destination = destination
        self.path = path
        self.options = options
    }

    public func call<Input, Output>(
        _ method: Method<Input, Output>, _ input: Input, timeout: Duration? = .seconds(25)
    ) async throws -> Output {
        try await connection.call(
            method, input, to: destination, at: path, timeout: timeout, options: options)
    }

    public func call<Output>(
        _ method: Method<Void, Output>, timeout: Duration? = .seconds(25)
    ) async throws -> Output {
        try await call(method, (), timeout: timeout)
    }

    /// - Throws: `DBusError.invalidReply` when the property has another type than declared.
    public func get<Value: VariantConvertible>(_ property: Property<Value>) async throws -> Value {
        let variant = try await call(Properties.get, (property.interface.rawValue, property.name.rawValue))
        guard let value = Value(variant) else {
            throw DBusError.invalidReply(expected: Value.signature, received: variant.typeSignature)
        }
        return value
    }

    public func getAll(_ interface: InterfaceName) async throws -> VariantDictionary {
        try await call(Properties.getAll, interface.rawValue)
    }

    /// Tries to set a property by name; what serves objects with this module refuses it.
    public func set(_ interface: InterfaceName, _ name: MemberName, _ value: Variant) async throws {
        try await call(Properties.set, (interface.rawValue, name.rawValue, value))
    }

    public func ping() async throws { try await call(Peer.ping) }

    public func introspect() async throws -> String { try await call(Introspectable.introspect) }

    public func subscribe<Values>(
        to signal: Signal<Values>, limit: Int = 4096
    ) async throws -> SignalStream<Values> {
        try await connection.subscribe(to: signal, from: destination, at: path, limit: limit)
    }

    public func propertyChanges(
        of interface: InterfaceName
    ) async throws -> SignalStream<(String, VariantDictionary, [String])> {
        try await connection.propertyChanges(of: interface, from: destination, at: path)
    }
}
