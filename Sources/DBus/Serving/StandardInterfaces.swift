/// The interfaces that the D-Bus specification gives to every object.
enum Peer {
    static let interface: InterfaceName = "org.freedesktop.DBus.Peer"
    static let ping = Method(interface, "Ping")
    static let machineID = Method(interface, "GetMachineId", gives: Arguments(("machine_uuid", String.self)))

    static let description: InterfaceDescription = {
        var description = InterfaceDescription(interface)
        description.add(ping)
        description.add(machineID)
        return description
    }()
}

enum Introspectable {
    static let interface: InterfaceName = "org.freedesktop.DBus.Introspectable"
    static let introspect = Method(interface, "Introspect", gives: Arguments(("xml_data", String.self)))

    static let description: InterfaceDescription = {
        var description = InterfaceDescription(interface)
        description.add(introspect)
        return description
    }()
}

enum Properties {
    static let interface: InterfaceName = "org.freedesktop.DBus.Properties"
    static let get = Method(
        interface, "Get", takes: Arguments(("interface_name", String.self), ("property_name", String.self)),
        gives: Arguments(("value", Variant.self)))
    static let getAll = Method(
        interface, "GetAll", takes: Arguments(("interface_name", String.self)),
        gives: Arguments(("props", VariantDictionary.self)))
    static let set = Method(
        interface, "Set",
        takes: Arguments(
            ("interface_name", String.self), ("property_name", String.self), ("value", Variant.self)))
    static let changed = Signal(
        interface, "PropertiesChanged",
        Arguments(
            ("interface_name", String.self), ("changed_properties", VariantDictionary.self),
            ("invalidated_properties", [String].self)))

    static let description: InterfaceDescription = {
        var description = InterfaceDescription(interface)
        description.add(get)
        description.add(getAll)
        description.add(set)
        description.add(changed)
        return description
    }()
}

/// The bus itself, as far as it is asked here.
enum BusDaemon {
    static let interface: InterfaceName = "org.freedesktop.DBus"
    static let hello = Method(interface, "Hello", gives: Arguments(("name", String.self)))
    static let requestName = Method(
        interface, "RequestName", takes: Arguments(("name", String.self), ("flags", UInt32.self)),
        gives: Arguments(("result", UInt32.self)))
    static let releaseName = Method(
        interface, "ReleaseName", takes: Arguments(("name", String.self)), gives: Arguments(("result", UInt32.self)))
    static let getNameOwner = Method(
        interface, "GetNameOwner", takes: Arguments(("name", String.self)), gives: Arguments(("owner", String.self)))
    static let addMatch = Method(interface, "AddMatch", takes: Arguments(("rule", String.self)))
    static let removeMatch = Method(interface, "RemoveMatch", takes: Arguments(("rule", String.self)))
    static let getID = Method(interface, "GetId", gives: Arguments(("id", String.self)))
    static let credentials = Method(
        interface, "GetConnectionCredentials", takes: Arguments(("name", String.self)),
        gives: Arguments(("credentials", VariantDictionary.self)))
    static let connectionStatistics = Method(
        "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats", takes: Arguments(("name", String.self)),
        gives: Arguments(("statistics", VariantDictionary.self)))
    static let nameOwnerChanged = Signal(
        interface, "NameOwnerChanged",
        Arguments(("name", String.self), ("old_owner", String.self), ("new_owner", String.self)))
    static let nameLost = Signal(interface, "NameLost", Arguments(("name", String.self)))
}
