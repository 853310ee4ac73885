import FoundationEssentials

/// JSON of a shape that is not promised: each look at it may find nothing.
public enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// How large and how deep a text may be: reading takes time for each value, and the stack for each depth.
    package static let largest = 1 << 20
    private static let deepest = 32
    private static let mostValues = 5_000

    /// Reads one JSON text; nil when it is none, or when it is larger or deeper than anything a provider has to say.
    public init?(_ bytes: some Sequence<UInt8>) {
        let data = Data(bytes)
        guard Self.isModest(data), let value = try? JSONDecoder().decode(JSONValue.self, from: data) else { return nil }
        self = value
    }

    private static func isModest(_ bytes: Data) -> Bool {
        guard bytes.count <= largest else { return false }
        var depth = 0
        var values = 0
        var isInText = false
        var isEscaped = false
        for byte in bytes {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInText: isEscaped = true
            case UInt8(ascii: "\""): isInText.toggle()
            case _ where isInText: break
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): values += 1
            default: break
            }
            guard depth <= deepest, values <= mostValues else { return false }
        }
        return true
    }

    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    /// A whole number, also when it is written as `3600.0`; some providers write it as text, which `lenientInteger` reads.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// A NumericDate of RFC 7519: whole seconds since 1970, also when it was written with a fraction.
    package var date: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value.rounded(.down))
        default: nil
        }
    }

    public var lenientInteger: Int64? { integer ?? string.flatMap { Int64($0) } }

    /// A list of texts; nil when it is no list or has anything else in it.
    public var strings: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The commonest first: each refused attempt makes an error.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value) where value.isFinite: try container.encode(value)
        // JSON has no text for it.
        case .number: try container.encodeNil()
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
