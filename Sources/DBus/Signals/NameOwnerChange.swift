/// A name came, went or moved to another connection.
public struct NameOwnerChange: Hashable, Sendable {
    public let name: BusName
    /// Nil if no connection owned it before.
    public let oldOwner: BusName?
    /// Nil if no connection owns it now. For a unique name: that connection has left the bus.
    public let newOwner: BusName?

    public init(name: BusName, oldOwner: BusName?, newOwner: BusName?) {
        self.name = name
        self.oldOwner = oldOwner
        self.newOwner = newOwner
    }

    init?(_ message: Message) {
        guard let values = try? Connection.values(of: message, as: BusDaemon.nameOwnerChanged.arguments),
            let name = BusName(values.0)
        else { return nil }
        self.init(name: name, oldOwner: BusName(values.1), newOwner: BusName(values.2))
    }
}
