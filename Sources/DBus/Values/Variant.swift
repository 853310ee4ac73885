import CDBus

/// A value of any D-Bus type, as it stands inside a `v`.
///
/// Any complete type can be received. To send one, its containers must be of one kind: an array whose elements have
/// another signature than it says is `DBusError.invalidValue`.
public indirect enum Variant: Hashable, Sendable {
    case boolean(Bool)
    case byte(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    case descriptor(OwnedDescriptor)
    /// `ay`
    case bytes([UInt8])
    /// `a{sv}`
    case dictionary(VariantDictionary)
    /// Any other array; `element` is the signature of its elements.
    case array(element: Signature, [Variant])
    /// Any other dictionary, in its order.
    case entries(key: Signature, value: Signature, [Entry])
    case structure([Variant])
    /// A variant within a variant.
    case variant(Variant)

    /// One key and its value in a dictionary that is not `a{sv}`.
    public struct Entry: Hashable, Sendable {
        public var key: Variant
        public var value: Variant

        public init(key: Variant, value: Variant) {
            self.key = key
            self.value = value
        }
    }
}

/// `a{sv}`: the way to say something that may grow.
public typealias VariantDictionary = [String: Variant]

extension Variant {
    /// The type that this value has on the bus.
    public var typeSignature: String {
        switch self {
        case .boolean: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .bytes: "ay"
        case .dictionary: "a{sv}"
        case .array(let element, _): "a" + element.rawValue
        case .entries(let key, let value, _): "a{" + key.rawValue + value.rawValue + "}"
        case .structure(let fields): "(" + fields.map(\.typeSignature).joined() + ")"
        case .variant: "v"
        }
    }
}

extension Variant: DBusValue {
    public static var signature: String { "v" }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self = try reader.inside(TypeCode.variant) { inner throws(DBusError) in
            try Variant(contentsOf: &inner)
        }
    }

    public func write(to writer: inout ValueWriter) throws(DBusError) {
        let type = typeSignature
        guard passes(type, dbus_signature_validate_single) else {
            throw .invalidValue("'\(type)' is not a complete type")
        }
        try writer.variant(of: type) { inner throws(DBusError) in
            try writeContents(to: &inner)
        }
    }
}

extension Variant {
    /// Reads the next value, whatever its type.
    init(contentsOf reader: inout ValueReader) throws(DBusError) {
        switch reader.nextType() {
        case TypeCode.boolean: self = .boolean(try Bool(from: &reader))
        case TypeCode.byte: self = .byte(try UInt8(from: &reader))
        case TypeCode.int16: self = .int16(try Int16(from: &reader))
        case TypeCode.uint16: self = .uint16(try UInt16(from: &reader))
        case TypeCode.int32: self = .int32(try Int32(from: &reader))
        case TypeCode.uint32: self = .uint32(try UInt32(from: &reader))
        case TypeCode.int64: self = .int64(try Int64(from: &reader))
        case TypeCode.uint64: self = .uint64(try UInt64(from: &reader))
        case TypeCode.double: self = .double(try Double(from: &reader))
        case TypeCode.string: self = .string(try String(from: &reader))
        case TypeCode.objectPath: self = .objectPath(try ObjectPath(from: &reader))
        case TypeCode.signature: self = .signature(try Signature(from: &reader))
        case TypeCode.descriptor: self = .descriptor(try OwnedDescriptor(from: &reader))
        case TypeCode.variant: self = .variant(try Variant(from: &reader))
        case TypeCode.structure:
            self = .structure(try reader.inside(TypeCode.structure, Variant.all(in:)))
        case TypeCode.array: self = try Variant.anyArray(from: &reader)
        default: throw .invalidValue("a value has an unknown type")
        }
    }

    private static func all(in reader: inout ValueReader) throws(DBusError) -> [Variant] {
        var values: [Variant] = []
        while reader.nextType() != 0 { values.append(try Variant(contentsOf: &reader)) }
        return values
    }

    private static func anyArray(from reader: inout ValueReader) throws(DBusError) -> Variant {
        let signature = reader.nextSignature()
        switch signature {
        case "ay": return .bytes(try [UInt8](from: &reader))
        case "a{sv}": return .dictionary(try VariantDictionary(from: &reader))
        default: break
        }
        guard signature.hasPrefix("a{") else {
            guard let element = Signature(String(signature.dropFirst())) else {
                throw .invalidValue("an array without a type")
            }
            return .array(element: element, try reader.inside(TypeCode.array, Variant.all(in:)))
        }
        // A key is one letter, so the value's signature is what follows it up to the brace.
        guard let key = Signature(String(signature.dropFirst(2).prefix(1))),
            let value = Signature(String(signature.dropFirst(3).dropLast()))
        else { throw .invalidValue("a dictionary without types") }
        let entries = try reader.inside(TypeCode.array) { inner throws(DBusError) in
            var entries: [Entry] = []
            while inner.nextType() != 0 {
                entries.append(
                    try inner.inside(TypeCode.entry) { entry throws(DBusError) in
                        let key = try Variant(contentsOf: &entry)
                        return Entry(key: key, value: try Variant(contentsOf: &entry))
                    })
            }
            return entries
        }
        return .entries(key: key, value: value, entries)
    }

    /// Writes the value itself, without the variant around it.
    func writeContents(to writer: inout ValueWriter) throws(DBusError) {
        switch self {
        case .boolean(let value): try value.write(to: &writer)
        case .byte(let value): try value.write(to: &writer)
        case .int16(let value): try value.write(to: &writer)
        case .uint16(let value): try value.write(to: &writer)
        case .int32(let value): try value.write(to: &writer)
        case .uint32(let value): try value.write(to: &writer)
        case .int64(let value): try value.write(to: &writer)
        case .uint64(let value): try value.write(to: &writer)
        case .double(let value): try value.write(to: &writer)
        case .string(let value): try value.write(to: &writer)
        case .objectPath(let value): try value.write(to: &writer)
        case .signature(let value): try value.write(to: &writer)
        case .descriptor(let value): try value.write(to: &writer)
        case .bytes(let value): try value.write(to: &writer)
        case .dictionary(let value): try value.write(to: &writer)
        case .variant(let value): try value.write(to: &writer)
        case .structure(let fields):
            try writer.structure { inner throws(DBusError) in
                for field in fields { try field.writeContents(to: &inner) }
            }
        case .array(let element, let values):
            try writer.array(of: element.rawValue) { inner throws(DBusError) in
                for value in values { try value.writeContents(as: element, to: &inner) }
            }
        case .entries(let key, let value, let entries):
            try writer.array(of: "{" + key.rawValue + value.rawValue + "}") { inner throws(DBusError) in
                for item in entries {
                    try inner.entry { entry throws(DBusError) in
                        try item.key.writeContents(as: key, to: &entry)
                        try item.value.writeContents(as: value, to: &entry)
                    }
                }
            }
        }
    }

    private func writeContents(as signature: Signature, to writer: inout ValueWriter) throws(DBusError) {
        guard typeSignature == signature.rawValue else {
            throw .invalidValue("a '\(typeSignature)' among values of type '\(signature)'")
        }
        try writeContents(to: &writer)
    }
}
