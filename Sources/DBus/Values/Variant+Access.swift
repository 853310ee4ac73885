/// Each answers nil when the value has another type: what a peer sends is never trusted to have the right one.
extension Variant {
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    public var byte: UInt8? { if case .byte(let value) = self { value } else { nil } }
    public var int32: Int32? { if case .int32(let value) = self { value } else { nil } }
    public var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    public var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
    public var uint64: UInt64? { if case .uint64(let value) = self { value } else { nil } }
    public var double: Double? { if case .double(let value) = self { value } else { nil } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var objectPath: ObjectPath? { if case .objectPath(let value) = self { value } else { nil } }
    public var descriptor: OwnedDescriptor? { if case .descriptor(let value) = self { value } else { nil } }
    public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    public var dictionary: VariantDictionary? { if case .dictionary(let value) = self { value } else { nil } }

    /// `as`
    public var strings: [String]? { elements("s", \.string) }
    /// `au`
    public var uint32s: [UInt32]? { elements("u", \.uint32) }
    /// `at`
    public var uint64s: [UInt64]? { elements("t", \.uint64) }
    /// `aa{sv}`
    public var dictionaries: [VariantDictionary]? { elements("a{sv}", \.dictionary) }

    private func elements<Value>(_ signature: String, _ value: (Variant) -> Value?) -> [Value]? {
        guard case .array(let element, let values) = self, element.rawValue == signature else { return nil }
        return values.compactMap(value)
    }

    public static func strings(_ values: [String]) -> Variant {
        .array(element: "s", values.map { .string($0) })
    }

    public static func uint32s(_ values: [UInt32]) -> Variant {
        .array(element: "u", values.map { .uint32($0) })
    }

    public static func uint64s(_ values: [UInt64]) -> Variant {
        .array(element: "t", values.map { .uint64($0) })
    }

    public static func dictionaries(_ values: [VariantDictionary]) -> Variant {
        .array(element: "a{sv}", values.map { .dictionary($0) })
    }
}
