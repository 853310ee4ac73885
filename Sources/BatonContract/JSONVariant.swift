import DBus

/// A value of the bus in JSON; a value for which JSON has no word is null.
struct JSONVariant: Encodable {
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
