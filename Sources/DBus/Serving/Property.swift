/// A property, declared once. What is read only is changed by methods.
public struct Property<Value: DBusValue>: Sendable {
    public let interface: InterfaceName
    public let name: MemberName
    public let announcement: PropertyAnnouncement
    public let access: PropertyAccess

    public init(
        _ interface: InterfaceName, _ name: MemberName, _ type: Value.Type = Value.self,
        announcement: PropertyAnnouncement = .value, access: PropertyAccess = .read
    ) {
        self.interface = interface
        self.name = name
        self.announcement = announcement
        self.access = access
    }
}

/// What may be done with a property; the values of introspection.
public enum PropertyAccess: String, Sendable {
    case read
    case readWrite = "readwrite"
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
