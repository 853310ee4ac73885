extension Bool: DBusKey {
    public static var signature: String { "b" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.boolean, UInt32(0)) != 0
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.boolean, UInt32(self ? 1 : 0))
    }
}

extension String: DBusKey {
    public static var signature: String { "s" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.text(TypeCode.string)
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.text(TypeCode.string, self)
    }
}

extension ObjectPath: DBusKey {
    public static var signature: String { "o" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        guard let path = ObjectPath(try reader.text(TypeCode.objectPath)) else {
            throw .invalidValue("not an object path")
        }
        self = path
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.text(TypeCode.objectPath, rawValue)
    }
}

extension Signature: DBusKey {
    public static var signature: String { "g" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        guard let signature = Signature(try reader.text(TypeCode.signature)) else {
            throw .invalidValue("not a signature")
        }
        self = signature
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.text(TypeCode.signature, rawValue)
    }
}

extension OwnedDescriptor: DBusValue {
    public static var signature: String { "h" }

    public convenience init(from reader: inout ValueReader) throws(DBusError) {
        self.init(owning: try reader.takeDescriptor())
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.descriptor(self)
    }
}

extension Array: DBusValue where Element: DBusValue {
    public static var signature: String { "a" + Element.signature }

    public static var manual: String? { Element.manual }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try Element.array(from: &reader)
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try Element.write(array: self, to: &writer)
    }
}

extension Dictionary: DBusValue where Key: DBusKey, Value: DBusValue {
    public static var signature: String { "a" + entrySignature }

    private static var entrySignature: String { "{" + Key.signature + Value.signature + "}" }

    /// Of a key that comes twice the last value counts.
    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.inside(TypeCode.array) { inner throws(DBusError) in
            var result: [Key: Value] = [:]
            while inner.nextType() != 0 {
                try inner.inside(TypeCode.entry) { entry throws(DBusError) in
                    let key = try Key(from: &entry)
                    result[key] = try Value(from: &entry)
                }
            }
            return result
        }
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.array(of: Self.entrySignature) { inner throws(DBusError) in
            for (key, value) in self {
                try inner.entry { entry throws(DBusError) in
                    try key.write(to: &entry)
                    try value.write(to: &entry)
                }
            }
        }
    }
}
