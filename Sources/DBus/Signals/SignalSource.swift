/// One kind of signal among several in one stream, and what becomes of it there.
public struct SignalSource<Element: Sendable>: Sendable {
    let rule: MatchRule
    /// Nil: it is none of this stream's.
    let read: @Sendable (Message, BusName) -> Element?

    /// - Parameter sender: only from this one; of a well-known name from the connection that owns it at that moment.
    /// - Parameter firstArgument: only those whose first argument is this string.
    /// - Parameter element: What the stream gets; nil: nothing. Called on the bus thread.
    public init<Values>(
        _ signal: Signal<Values>, from sender: BusName? = nil, at path: ObjectPath? = nil,
        firstArgument: String? = nil, _ element: @escaping @Sendable (ReceivedSignal<Values>) -> Element?
    ) {
        rule = MatchRule(sender: sender, path: path, signal: signal, firstArgument: firstArgument)
        read = { message, sender in
            guard let path = message.path, let values = try? Connection.values(of: message, as: signal.arguments)
            else { return nil }
            return element(ReceivedSignal(sender: sender, path: path, values: values))
        }
    }

    /// Each change of who owns a name; nil: no connection does now.
    public static func owner(
        of name: BusName, _ element: @escaping @Sendable (BusName?) -> Element?
    ) -> SignalSource {
        SignalSource(BusDaemon.nameOwnerChanged, from: .bus, firstArgument: name.rawValue) {
            element(BusName($0.values.2))
        }
    }

    /// Each change of an object's properties on one interface.
    public static func properties(
        of interface: InterfaceName, from sender: BusName, at path: ObjectPath,
        _ element: @escaping @Sendable (VariantDictionary) -> Element?
    ) -> SignalSource {
        SignalSource(Properties.changed, from: sender, at: path, firstArgument: interface.rawValue) {
            element($0.values.1)
        }
    }
}
