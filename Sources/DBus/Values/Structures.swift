/// A structure of two fields.
public struct StructureOfTwo<First: DBusValue, Second: DBusValue>: DBusValue {
    public var first: First
    public var second: Second

    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    public static var signature: String { "(" + First.signature + Second.signature + ")" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.inside(TypeCode.structure) { inner throws(DBusError) in
            Self(try First(from: &inner), try Second(from: &inner))
        }
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.structure { inner throws(DBusError) in
            try first.write(to: &inner)
            try second.write(to: &inner)
        }
    }
}

/// A structure of three fields.
public struct StructureOfThree<First: DBusValue, Second: DBusValue, Third: DBusValue>: DBusValue {
    public var first: First
    public var second: Second
    public var third: Third

    public init(_ first: First, _ second: Second, _ third: Third) {
        self.first = first
        self.second = second
        self.third = third
    }

    public static var signature: String { "(" + First.signature + Second.signature + Third.signature + ")" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.inside(TypeCode.structure) { inner throws(DBusError) in
            Self(try First(from: &inner), try Second(from: &inner), try Third(from: &inner))
        }
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.structure { inner throws(DBusError) in
            try first.write(to: &inner)
            try second.write(to: &inner)
            try third.write(to: &inner)
        }
    }
}
