/// A type that can be the value of a property.
public protocol VariantConvertible: DBusValue {
    var variant: Variant { get }

    /// Nil when the variant has another type.
    init?(_ variant: Variant)
}

extension Bool: VariantConvertible {
    public var variant: Variant { .boolean(self) }
    public init?(_ variant: Variant) {
        guard let value = variant.boolean else { return nil }
        self = value
    }
}

extension UInt32: VariantConvertible {
    public var variant: Variant { .uint32(self) }
    public init?(_ variant: Variant) {
        guard let value = variant.uint32 else { return nil }
        self = value
    }
}

extension Int64: VariantConvertible {
    public var variant: Variant { .int64(self) }
    public init?(_ variant: Variant) {
        guard let value = variant.int64 else { return nil }
        self = value
    }
}

extension UInt64: VariantConvertible {
    public var variant: Variant { .uint64(self) }
    public init?(_ variant: Variant) {
        guard let value = variant.uint64 else { return nil }
        self = value
    }
}

extension Double: VariantConvertible {
    public var variant: Variant { .double(self) }
    public init?(_ variant: Variant) {
        guard let value = variant.double else { return nil }
        self = value
    }
}

extension String: VariantConvertible {
    public var variant: Variant { .string(self) }
    public init?(_ variant: Variant) {
        guard let value = variant.string else { return nil }
        self = value
    }
}

extension Array: VariantConvertible where Element: VariantConvertible {
    public var variant: Variant { .array(element: Signature(declared: Element.signature), map(\.variant)) }

    public init?(_ variant: Variant) {
        guard case .array(let element, let values) = variant, element.rawValue == Element.signature else { return nil }
        self = []
        for value in values {
            guard let element = Element(value) else { return nil }
            append(element)
        }
    }
}

extension VariantDictionary: VariantConvertible {
    public var variant: Variant { .dictionary(self) }
    public init?(_ variant: Variant) {
        guard let value = variant.dictionary else { return nil }
        self = value
    }
}
