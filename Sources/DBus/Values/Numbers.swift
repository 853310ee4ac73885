extension UInt8: DBusKey {
    public static var signature: String { "y" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.byte, UInt8(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.byte, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [UInt8] {
        try reader.fixedArray(of: TypeCode.byte, UInt8.self)
    }

    public static func write(array: [UInt8], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.byte, array)
    }
}

extension Int16: DBusKey {
    public static var signature: String { "n" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.int16, Int16(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.int16, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [Int16] {
        try reader.fixedArray(of: TypeCode.int16, Int16.self)
    }

    public static func write(array: [Int16], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.int16, array)
    }
}

extension UInt16: DBusKey {
    public static var signature: String { "q" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.uint16, UInt16(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.uint16, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [UInt16] {
        try reader.fixedArray(of: TypeCode.uint16, UInt16.self)
    }

    public static func write(array: [UInt16], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.uint16, array)
    }
}

extension Int32: DBusKey {
    public static var signature: String { "i" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.int32, Int32(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.int32, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [Int32] {
        try reader.fixedArray(of: TypeCode.int32, Int32.self)
    }

    public static func write(array: [Int32], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.int32, array)
    }
}

extension UInt32: DBusKey {
    public static var signature: String { "u" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.uint32, UInt32(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.uint32, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [UInt32] {
        try reader.fixedArray(of: TypeCode.uint32, UInt32.self)
    }

    public static func write(array: [UInt32], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.uint32, array)
    }
}

extension Int64: DBusKey {
    public static var signature: String { "x" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.int64, Int64(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.int64, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [Int64] {
        try reader.fixedArray(of: TypeCode.int64, Int64.self)
    }

    public static func write(array: [Int64], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.int64, array)
    }
}

extension UInt64: DBusKey {
    public static var signature: String { "t" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.uint64, UInt64(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.uint64, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [UInt64] {
        try reader.fixedArray(of: TypeCode.uint64, UInt64.self)
    }

    public static func write(array: [UInt64], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.uint64, array)
    }
}

extension Double: DBusKey {
    public static var signature: String { "d" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.fixed(TypeCode.double, Double(0))
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixed(TypeCode.double, self)
    }

    public static func array(from reader: inout ValueReader) throws(DBusError) -> [Double] {
        try reader.fixedArray(of: TypeCode.double, Double.self)
    }

    public static func write(array: [Double], to writer: inout ValueWriter) throws(DBusError) {
        try writer.fixedArray(of: TypeCode.double, array)
    }
}
