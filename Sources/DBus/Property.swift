/// A property that can be read, declared once. Nobody sets properties from outside; methods change things.
public struct Property<Value: DBusValue>: Sendable {
    public let interface: InterfaceName
    public let name: MemberName
    public let announcement: PropertyAnnouncement

    public init(
        _ interface: InterfaceName, _ name: MemberName, _ type: Value.Type = Value.self,
        announcement: PropertyAnnouncement = .value
    ) {
        self.interface = interface
        self.name = name
        self.announcement = announcement
    }
}

/// What `PropertiesChanged` tells about a property; the values of `EmitsChangedSignal`.
public enum PropertyAnnouncement: String, Sendable {
    /// The signal carries the new value.
    case value = "true"
    /// The signal names the property.
    case invalidation = "invalidates"
    /// It never changes while the object is there.
    case constant = "const"
    /// It changes silently.
    case never = "false"
}
