/// A Swift type that travels as one D-Bus type.
///
/// Only types of this module read and write themselves; others are built from them, usually through
/// `VariantDictionary`.
public protocol DBusValue: Sendable {
    /// One complete type in the notation of the D-Bus specification.
    static var signature: String { get }

    /// What is inside a dictionary of this type, in the words of a manual; nil: its name and type say it.
    static var manual: String? { get }

    init(from reader: inout ValueReader) throws(DBusError)

    func write(to writer: inout ValueWriter) throws(DBusError)

    /// Reads an array of this type; fixed-size types do it in one piece.
    static func array(from reader: inout ValueReader) throws(DBusError) -> [Self]

    /// Writes an array of this type; fixed-size types do it in one piece.
    static func write(array: [Self], to writer: inout ValueWriter) throws(DBusError)
}

extension DBusValue {
    public static var manual: String? { nil }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [Self] {
        try reader.inside(TypeCode.array) { inner throws(DBusError) in
            var values: [Self] = []
            while inner.nextType() != 0 { values.append(try Self(from: &inner)) }
            return values
        }
    }

    public static func write(array: [Self], to writer: inout ValueWriter) throws(DBusError) {
        try writer.array(of: signature) { inner throws(DBusError) in
            for value in array { try value.write(to: &inner) }
        }
    }
}

/// A type that may be the key of a D-Bus dictionary.
public protocol DBusKey: DBusValue, Hashable {}
