public import DBus

/// A message that clients of other versions read: what is missing, or is not understood, is as where the key is missing.
///
/// As JSON it has the keys that it has on the bus.
public protocol ReportMessage: DictionaryMessage, Encodable {}

extension ReportMessage {
    public init(_ dictionary: VariantDictionary) {
        self.init()
        for field in Self.fields { try? field.read(&self, dictionary[field.key]) }
    }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self.init(try VariantDictionary(from: &reader))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: MessageKey.self)
        for field in Self.fields {
            if let value = field.write(self) { try values.encode(JSONVariant(value), forKey: MessageKey(field.key)) }
        }
    }
}

private struct MessageKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A value of the bus in JSON; what JSON has no word for is null.
private struct JSONVariant: Encodable {
    let value: Variant

    init(_ value: Variant) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch value {
        case .boolean(let value): try single.encode(value)
        case .byte(let value): try single.encode(value)
        case .int16(let value): try single.encode(value)
        case .uint16(let value): try single.encode(value)
        case .int32(let value): try single.encode(value)
        case .uint32(let value): try single.encode(value)
        case .int64(let value): try single.encode(value)
        case .uint64(let value): try single.encode(value)
        case .double(let value): try single.encode(value)
        case .string(let value): try single.encode(value)
        case .array(_, let values): try single.encode(values.map(JSONVariant.init))
        case .dictionary(let values): try single.encode(values.mapValues(JSONVariant.init))
        case .variant(let value): try single.encode(JSONVariant(value))
        case .objectPath, .signature, .descriptor, .bytes, .entries, .structure: try single.encodeNil()
        }
    }
}
