/// What an object on the bus answers, has and emits.
///
/// `Peer`, `Introspectable` and `Properties` come by themselves. Of a method that is declared but not answered the
/// caller learns that it is unknown.
public struct ServedObject: Sendable {
    typealias Start = @Sendable (inout ValueReader, Caller, PendingAnswer) throws(DBusError) -> Void

    struct ServedMethod: Sendable {
        let signature: String
        /// Taken also when its caller's user has no share left.
        var keepsRoom = false
        let start: Start
    }

    struct ServedProperty: Sendable {
        let get: @Sendable (Caller) async throws -> Variant
        /// Nil: it can only be read.
        var set: (@Sendable (Caller, Variant) async throws -> Void)?
    }

    private(set) var descriptions: [InterfaceDescription] = []
    private(set) var methods: [InterfaceName: [String: ServedMethod]] = [:]
    private(set) var properties: [InterfaceName: [String: ServedProperty]] = [:]

    public init() {}

    /// Whom a call without an interface reaches: always the one that was described first.
    func firstMethod(_ member: String) -> ServedMethod? {
        descriptions.lazy.compactMap { methods[$0.name]?[member] }.first
    }

    /// Answers a method with a handler that starts on the bus thread, in the order of the calls.
    ///
    /// It must neither block nor compute there; what it awaits may run elsewhere. Its task is cancelled when the
    /// caller leaves the bus or the connection ends.
    public mutating func answer<Input, Output>(
        _ method: Method<Input, Output>,
        _ handler: @escaping @Sendable (_ caller: Caller, _ input: Input) async throws -> Output
    ) {
        respond(to: method) { input, responder in
            let connection = responder.caller.connection
            let task = connection.assumeIsolated { connection in
                Task.immediate(executorPreference: connection.tasks) {
                    // Named, so that the task is the connection's and starts on the bus thread at once.
                    _ = connection
                    do {
                        responder.reply(try await handler(responder.caller, input))
                    } catch {
                        responder.fail(error)
                    }
                }
            }
            responder.onCallerLeft { task.cancel() }
        }
    }

    /// Answers a method through a `Responder`; `handler` is called on the bus thread and must not block.
    public mutating func respond<Input, Output>(
        to method: Method<Input, Output>,
        _ handler: @escaping @Sendable (_ input: Input, _ responder: Responder<Output>) -> Void
    ) {
        describe(method.interface) { $0.add(method) }
        methods[method.interface, default: [:]][method.name.rawValue] = ServedMethod(
            signature: method.input.signature
        ) { reader, caller, pending throws(DBusError) in
            let input = try method.input.read(&reader)
            handler(input, Responder(caller: caller, pending: pending, output: method.output))
        }
    }

    /// Takes calls of this method, answered by now, also when the share of their user is used up; see
    /// `ConnectionOptions.shareOfUser`.
    public mutating func keepRoom<Input, Output>(for method: Method<Input, Output>) {
        methods[method.interface]?[method.name.rawValue]?.keepsRoom = true
    }

    /// Has a property; `value` is asked each time, on the bus thread at first. A `BusError` is what `Get` answers; `GetAll`
    /// leaves the property out.
    public mutating func property<Value>(
        _ property: Property<Value>, _ value: @escaping @Sendable (_ caller: Caller) async throws -> Value
    ) where Value: VariantConvertible {
        describe(property.interface) { $0.add(property) }
        properties[property.interface, default: [:]][property.name.rawValue] = ServedProperty { caller in
            try await value(caller).variant
        }
    }

    /// Has a property that callers may set; `change` judges who they are and what they bring.
    public mutating func property<Value>(
        _ property: Property<Value>, _ value: @escaping @Sendable (_ caller: Caller) async throws -> Value,
        set change: @escaping @Sendable (_ caller: Caller, _ value: Value) async throws -> Void
    ) where Value: VariantConvertible {
        self.property(property, value)
        properties[property.interface]?[property.name.rawValue]?.set = { caller, variant in
            guard let value = Value(variant) else {
                throw CallRefusal(.invalidArguments, "\(property.name) has type '\(Value.signature)'.")
            }
            try await change(caller, value)
        }
    }

    /// Says that the object emits a signal.
    public mutating func emits<Values>(_ signal: Signal<Values>) {
        describe(signal.interface) { $0.add(signal) }
    }

    private mutating func describe(_ name: InterfaceName, _ change: (inout InterfaceDescription) -> Void) {
        if let index = descriptions.firstIndex(where: { $0.name == name }) {
            change(&descriptions[index])
        } else {
            var description = InterfaceDescription(name)
            change(&description)
            descriptions.append(description)
        }
    }

    func hasInterface(_ name: InterfaceName) -> Bool {
        descriptions.contains { $0.name == name }
    }
}
