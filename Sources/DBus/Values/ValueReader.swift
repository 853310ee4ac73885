import CDBus

/// A place in a received message, from which values are taken one after the other.
///
/// libdbus has validated the message, nesting depth included. What is still checked here is that each value has the
/// type that the reader asks for, because libdbus would abort on a wrong one.
public struct ValueReader {
    private let message: Message
    private var iterator: DBusMessageIter
    private let depth: Int
    /// How many descriptors may still be taken, and how many were.
    private var descriptorsLeft: Int
    private(set) var descriptorsTaken = 0
    /// There was one that may not be taken any more.
    private(set) var isOutOfDescriptors = false

    init(_ message: Message, descriptors: Int = .max) {
        self.message = message
        descriptorsLeft = descriptors
        iterator = DBusMessageIter()
        depth = 0
        dbus_message_iter_init(message.raw, &iterator)
    }

    private init(inside parent: inout ValueReader) {
        message = parent.message
        iterator = DBusMessageIter()
        depth = parent.depth + 1
        descriptorsLeft = parent.descriptorsLeft
        dbus_message_iter_recurse(&parent.iterator, &iterator)
    }

    /// The type code of the next value; 0 at the end.
    mutating func nextType() -> Int32 { dbus_message_iter_get_arg_type(&iterator) }

    /// The signature of the next value.
    mutating func nextSignature() -> String {
        guard nextType() != 0, let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }

    mutating func expect(_ type: Int32) throws(DBusError) {
        guard nextType() == type else { throw .invalidValue("a value has another type than declared") }
    }

    mutating func fixed<Value: BitwiseCopyable>(_ type: Int32, _ start: Value) throws(DBusError) -> Value {
        try expect(type)
        var value = start
        withUnsafeMutablePointer(to: &value) { dbus_message_iter_get_basic(&iterator, $0) }
        dbus_message_iter_next(&iterator)
        return value
    }

    mutating func text(_ type: Int32) throws(DBusError) -> String {
        let pointer: UnsafePointer<CChar>? = try fixed(type, nil)
        guard let pointer else { throw .invalidValue("a string is missing") }
        return String(cString: pointer)
    }

    /// A duplicate that the caller must close.
    mutating func takeDescriptor() throws(DBusError) -> Int32 {
        guard descriptorsLeft > 0 else {
            isOutOfDescriptors = true
            throw .invalidValue("one file descriptor too many")
        }
        let received: Int32 = try fixed(TypeCode.descriptor, -1)
        guard received >= 0 else { throw .invalidValue("a file descriptor did not arrive") }
        descriptorsLeft -= 1
        descriptorsTaken += 1
        return received
    }

    /// Reads what is inside an array, structure, dictionary entry or variant.
    mutating func inside<Result>(
        _ type: Int32, _ body: (inout ValueReader) throws(DBusError) -> Result
    ) throws(DBusError) -> Result {
        try expect(type)
        guard depth < ValueWriter.maximumDepth else { throw .invalidValue("nested too deeply") }
        var inner = ValueReader(inside: &self)
        defer {
            descriptorsLeft = inner.descriptorsLeft
            descriptorsTaken += inner.descriptorsTaken
            isOutOfDescriptors = isOutOfDescriptors || inner.isOutOfDescriptors
        }
        let result = try body(&inner)
        dbus_message_iter_next(&iterator)
        return result
    }

    /// Reads an array of fixed-size numbers in one piece.
    mutating func fixedArray<Value: BitwiseCopyable>(of type: Int32, _: Value.Type) throws(DBusError) -> [Value] {
        try inside(TypeCode.array) { inner throws(DBusError) in
            let element = inner.nextType()
            if element == 0 { return [] }
            guard element == type else { throw .invalidValue("an array has another type than declared") }
            var start: UnsafeRawPointer?
            var count: Int32 = 0
            withUnsafeMutablePointer(to: &start) {
                dbus_message_iter_get_fixed_array(&inner.iterator, $0, &count)
            }
            guard let start, count > 0 else { return [] }
            return Array(
                UnsafeBufferPointer(start: start.assumingMemoryBound(to: Value.self), count: Int(count)))
        }
    }
}

/// The specification's type codes as libdbus takes them; its own macros are casts that Swift does not import.
enum TypeCode {
    static let byte = Int32(UInt8(ascii: "y"))
    static let boolean = Int32(UInt8(ascii: "b"))
    static let int16 = Int32(UInt8(ascii: "n"))
    static let uint16 = Int32(UInt8(ascii: "q"))
    static let int32 = Int32(UInt8(ascii: "i"))
    static let uint32 = Int32(UInt8(ascii: "u"))
    static let int64 = Int32(UInt8(ascii: "x"))
    static let uint64 = Int32(UInt8(ascii: "t"))
    static let double = Int32(UInt8(ascii: "d"))
    static let string = Int32(UInt8(ascii: "s"))
    static let objectPath = Int32(UInt8(ascii: "o"))
    static let signature = Int32(UInt8(ascii: "g"))
    static let descriptor = Int32(UInt8(ascii: "h"))
    static let array = Int32(UInt8(ascii: "a"))
    static let variant = Int32(UInt8(ascii: "v"))
    static let structure = Int32(UInt8(ascii: "r"))
    static let entry = Int32(UInt8(ascii: "e"))
}
