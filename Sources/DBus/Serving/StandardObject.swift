import CDBus

/// The methods that every object has by the D-Bus specification.
enum StandardObject {
    /// - Parameter isNode: whether there is an object, or one below; `Peer` answers everywhere.
    static func methods(of object: ServedObject?, at path: ObjectPath, isNode: Bool) -> ServedObject {
        var result = ServedObject()
        result.respond(to: Peer.ping) { _, responder in responder.reply() }
        result.respond(to: Peer.machineID) { _, responder in
            if let identity = machineID() {
                responder.reply(identity)
            } else {
                responder.fail(CallRefusal(.failed, "This machine has no identity."))
            }
        }
        guard isNode else { return result }
        result.answer(Introspectable.introspect) { caller, _ in
            await caller.connection.introspection(of: caller.path)
        }
        guard let object else { return result }
        result.answer(Properties.get) { caller, input in
            let name = input.1
            guard let property = try properties(of: object, on: input.0).first(where: { $0.key == name })?.value
            else { throw CallRefusal(.unknownProperty, "There is no property \(name).") }
            return try await property.get(caller)
        }
        result.answer(Properties.getAll) { caller, input in
            var values: VariantDictionary = [:]
            for (name, property) in try properties(of: object, on: input) {
                do {
                    values[name] = try await property.get(caller)
                } catch is any BusError {
                    // One that this caller may not see is not there; the others are.
                }
            }
            return values
        }
        result.answer(Properties.set) { caller, input in
            guard let property = try properties(of: object, on: input.0).first(where: { $0.key == input.1 })?.value
            else { throw CallRefusal(.unknownProperty, "There is no property \(input.1).") }
            guard let set = property.set else {
                throw CallRefusal(.propertyReadOnly, "\(input.1) can only be read.")
            }
            try await set(caller, input.2)
        }
        result.emits(Properties.changed)
        return result
    }

    /// Of an empty name those of all interfaces, as the specification allows.
    private static func properties(
        of object: ServedObject, on interface: String
    ) throws -> [(key: String, value: ServedObject.ServedProperty)] {
        if interface.isEmpty { return object.properties.values.flatMap { $0.map { ($0.key, $0.value) } } }
        guard let name = InterfaceName(interface), object.hasInterface(name) else {
            let standard = [Peer.interface, Introspectable.interface, Properties.interface].map(\.rawValue)
            if standard.contains(interface) { return [] }
            throw CallRefusal(.unknownInterface, "There is no interface \(interface).")
        }
        return (object.properties[name] ?? [:]).map { ($0.key, $0.value) }
    }

    private static func machineID() -> String? {
        guard let text = dbus_try_get_local_machine_id(nil) else { return nil }
        defer { dbus_free(text) }
        return String(cString: text)
    }
}

extension Connection {
    func introspection(of path: ObjectPath) -> String {
        if let known = introspections[path] { return known }
        var interfaces = [Peer.description, Introspectable.description]
        if let object = objects[path] { interfaces += [Properties.description] + object.descriptions }
        let children = Set(objects.keys.compactMap { path.child(towards: $0) })
        let document = Introspection.document(interfaces, children: children.sorted())
        // A path that is no object's could be any.
        if objects[path] != nil { introspections[path] = document }
        return document
    }
}
