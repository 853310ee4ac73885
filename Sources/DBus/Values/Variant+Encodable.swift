/// The plain form for JSON: what the value is, without its D-Bus type. A descriptor, which means nothing elsewhere,
/// becomes null; a dictionary whose keys are no strings becomes a list of pairs.
extension Variant: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .boolean(let value): try container.encode(value)
        case .byte(let value): try container.encode(value)
        case .int16(let value): try container.encode(value)
        case .uint16(let value): try container.encode(value)
        case .int32(let value): try container.encode(value)
        case .uint32(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .uint64(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .objectPath(let value): try container.encode(value.rawValue)
        case .signature(let value): try container.encode(value.rawValue)
        case .descriptor: try container.encodeNil()
        case .bytes(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        case .array(_, let values), .structure(let values): try container.encode(values)
        case .variant(let value): try container.encode(value)
        case .entries(_, _, let entries):
            try container.encode(entries.map { [$0.key, $0.value] })
        }
    }
}
