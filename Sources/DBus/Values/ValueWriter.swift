import CDBus

/// The end of a message under construction, to which values are appended.
///
/// It counts bytes as they will be marshalled, because libdbus itself would hand a too large message to the bus,
/// which answers by cutting the connection.
public struct ValueWriter {
    /// Arrays, structures and variants within each other, in all.
    static let maximumDepth = 64
    static let maximumArray = 64 * 1024 * 1024

    private var iterator: DBusMessageIter
    private var offset = 0
    private var depth = 0
    private var descriptors = 0
    private let limits: MessageLimits

    /// In bytes, of what is written by now.
    var size: Int { offset }

    init(_ message: Message, limits: MessageLimits) {
        iterator = DBusMessageIter()
        self.limits = limits
        dbus_message_iter_init_append(message.raw, &iterator)
    }

    private mutating func count(_ bytes: Int, alignedTo alignment: Int) throws(DBusError) {
        let start = (offset + alignment - 1) / alignment * alignment
        let (end, overflow) = start.addingReportingOverflow(bytes)
        guard !overflow, end <= limits.bytes else { throw .tooLarge }
        offset = end
    }

    private func check(_ done: UInt32) throws(DBusError) {
        if done == 0 { throw .invalidValue("out of memory") }
    }

    mutating func fixed<Value: BitwiseCopyable>(_ type: Int32, _ value: Value) throws(DBusError) {
        let size = MemoryLayout<Value>.size
        try count(size, alignedTo: size)
        try check(withUnsafePointer(to: value) { dbus_message_iter_append_basic(&iterator, type, $0) })
    }

    mutating func text(_ type: Int32, _ text: String) throws(DBusError) {
        guard !text.utf8.contains(0) else { throw .invalidValue("a string contains a NUL character") }
        let length = text.utf8.count
        if type == TypeCode.signature {
            try count(length + 2, alignedTo: 1)
        } else {
            try count(4, alignedTo: 4)
            try count(length + 1, alignedTo: 1)
        }
        let done = text.withCString { pointer in
            withUnsafePointer(to: pointer) { dbus_message_iter_append_basic(&iterator, type, $0) }
        }
        try check(done)
    }

    mutating func descriptor(_ descriptor: OwnedDescriptor) throws(DBusError) {
        guard descriptors < limits.descriptors else { throw .tooLarge }
        try count(4, alignedTo: 4)
        let raw = descriptor.rawValue
        let done = withUnsafePointer(to: raw) {
            dbus_message_iter_append_basic(&iterator, TypeCode.descriptor, $0)
        }
        guard done != 0 else { throw .invalidValue("a file descriptor could not be duplicated") }
        descriptors += 1
    }

    /// Writes an array whose elements have the signature `element`.
    mutating func array(
        of element: String, _ body: (inout ValueWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try count(4, alignedTo: 4)
        try count(0, alignedTo: Self.alignment(of: element))
        let start = offset
        try inside(TypeCode.array, element, body)
        guard offset - start <= Self.maximumArray else { throw .tooLarge }
    }

    mutating func structure(_ body: (inout ValueWriter) throws(DBusError) -> Void) throws(DBusError) {
        try count(0, alignedTo: 8)
        try inside(TypeCode.structure, nil, body)
    }

    mutating func entry(_ body: (inout ValueWriter) throws(DBusError) -> Void) throws(DBusError) {
        try count(0, alignedTo: 8)
        try inside(TypeCode.entry, nil, body)
    }

    mutating func variant(
        of signature: String, _ body: (inout ValueWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try count(signature.utf8.count + 2, alignedTo: 1)
        try inside(TypeCode.variant, signature, body)
    }

    /// Writes an array of fixed-size numbers in one piece.
    mutating func fixedArray<Value: BitwiseCopyable>(of type: Int32, _ values: [Value]) throws(DBusError) {
        let size = MemoryLayout<Value>.size
        guard values.count <= Self.maximumArray / size else { throw .tooLarge }
        let element = String(UnicodeScalar(UInt8(truncatingIfNeeded: type)))
        try array(of: element) { inner throws(DBusError) in
            try inner.count(values.count * size, alignedTo: size)
            let done = values.withUnsafeBufferPointer { buffer -> UInt32 in
                guard let start = buffer.baseAddress, !buffer.isEmpty else { return 1 }
                return withUnsafePointer(to: start) {
                    dbus_message_iter_append_fixed_array(&inner.iterator, type, $0, Int32(buffer.count))
                }
            }
            try inner.check(done)
        }
    }

    private mutating func inside(
        _ type: Int32, _ signature: String?, _ body: (inout ValueWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        guard depth < Self.maximumDepth else { throw .invalidValue("nested too deeply") }
        var inner = self
        inner.depth += 1
        try check(dbus_message_iter_open_container(&iterator, type, signature, &inner.iterator))
        do throws(DBusError) {
            try body(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner.iterator)
            throw error
        }
        try check(dbus_message_iter_close_container(&iterator, &inner.iterator))
        offset = inner.offset
        descriptors = inner.descriptors
    }

    private static func alignment(of signature: String) -> Int {
        switch signature.utf8.first {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }
}
