/// Writes interface descriptions in the introspection format of the D-Bus specification.
public enum Introspection {
    static let documentType = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    /// The document for one node. Nothing in it needs escaping but signatures' and names' characters, which have
    /// none of XML's.
    public static func document(_ interfaces: [InterfaceDescription], children: [String] = []) -> String {
        var lines = ["<node>"]
        for interface in interfaces { lines += render(interface) }
        for child in children { lines.append(#"  <node name="\#(child)"/>"#) }
        lines.append("</node>")
        return documentType + lines.joined(separator: "\n") + "\n"
    }

    private static func render(_ interface: InterfaceDescription) -> [String] {
        var lines = [#"  <interface name="\#(interface.name)">"#]
        for method in interface.methods {
            let arguments =
                method.input.map { argument($0, #" direction="in""#) }
                + method.output.map { argument($0, #" direction="out""#) }
            lines += element(
                "method", method.name, arguments + typeNames(method.input, "In") + typeNames(method.output, "Out"))
        }
        for signal in interface.signals {
            lines += element(
                "signal", signal.name,
                signal.arguments.map { argument($0, "") } + typeNames(signal.arguments, "Out"))
        }
        for property in interface.properties {
            let start =
                #"    <property name="\#(property.name)" type="\#(property.signature)""#
                + #" access="\#(property.access.rawValue)""#
            var annotations: [String] = []
            if let type = typeNames[property.signature] { annotations.append(typeName("", type)) }
            if property.announcement != .value {
                annotations.append(
                    #"      <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal""#
                        + #" value="\#(property.announcement.rawValue)"/>"#)
            }
            lines += annotations.isEmpty ? [start + "/>"] : [start + ">"] + annotations + ["    </property>"]
        }
        return lines + ["  </interface>"]
    }

    private static func element(_ kind: String, _ name: MemberName, _ arguments: [String]) -> [String] {
        let start = #"    <\#(kind) name="\#(name)""#
        return arguments.isEmpty ? [start + "/>"] : [start + ">"] + arguments + ["    </\(kind)>"]
    }

    /// qdbusxml2cpp stops at a dictionary unless it is told the name of its type.
    private static let typeNames = ["a{sv}": "QVariantMap", "aa{sv}": "QList&lt;QVariantMap&gt;"]

    private static func typeNames(
        _ arguments: [InterfaceDescription.ArgumentDescription], _ direction: String
    ) -> [String] {
        arguments.enumerated().compactMap { index, argument in
            typeNames[argument.signature].map { typeName(".\(direction)\(index)", $0) }
        }
    }

    private static func typeName(_ place: String, _ type: String) -> String {
        #"      <annotation name="org.qtproject.QtDBus.QtTypeName\#(place)" value="\#(type)"/>"#
    }

    private static func argument(_ argument: InterfaceDescription.ArgumentDescription, _ direction: String) -> String {
        #"      <arg name="\#(argument.name)" type="\#(argument.signature)"\#(direction)/>"#
    }
}
