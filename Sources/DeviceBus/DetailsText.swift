import BatonContract
import DBus
import SessionMachine

/// What an app says about its clearing, as one line of JSON for the receipt.
struct DetailsText {
    /// What the receipt keeps, in bytes.
    static let kept = 4096

    private var text = ""
    private let limit: Int

    /// - Parameter limit: What is accepted, in bytes; more is `detailsTooLong`. Beyond `kept` only a remark is kept.
    static func make(_ details: VariantDictionary, limit: Int) throws -> String {
        guard !details.isEmpty else { return "" }
        var writer = DetailsText(limit: limit)
        try writer.object(details, depth: 0)
        guard writer.text.utf8.count > kept else { return writer.text }
        return #"{"truncated":"\#(writer.text.utf8.count) bytes were reported, more than a receipt keeps"}"#
    }

    private init(limit: Int) { self.limit = limit }

    private mutating func add(_ more: String) throws {
        guard text.utf8.count + more.utf8.count <= limit else {
            throw Refusal.detailsTooLong(limit: limit)
        }
        text += more
    }

    /// Looks at the length first: quoting megabytes would hold up all other calls.
    private mutating func add(quoted more: String) throws {
        guard more.utf8.count <= limit else { return try add(more) }
        try add(Self.quote(more))
    }

    private mutating func object(_ values: VariantDictionary, depth: Int) throws {
        try add("{")
        for (index, (key, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { try add(",") }
            try add(quoted: key)
            try add(":")
            try self.value(value, depth: depth + 1)
        }
        try add("}")
    }

    private mutating func list(_ values: [Variant], depth: Int) throws {
        try add("[")
        for (index, value) in values.enumerated() {
            if index > 0 { try add(",") }
            try self.value(value, depth: depth + 1)
        }
        try add("]")
    }

    private mutating func value(_ value: Variant, depth: Int) throws {
        guard depth < 64 else { throw BatonError(.invalidArgument, "The details are nested too deeply.") }
        switch value {
        case .boolean(let value): try add(value ? "true" : "false")
        case .byte(let value): try add("\(value)")
        case .int16(let value): try add("\(value)")
        case .uint16(let value): try add("\(value)")
        case .int32(let value): try add("\(value)")
        case .uint32(let value): try add("\(value)")
        case .int64(let value): try add("\(value)")
        case .uint64(let value): try add("\(value)")
        case .double(let value): try add(value.isFinite ? "\(value)" : "null")
        case .string(let value): try add(quoted: value)
        case .objectPath(let value): try add(quoted: value.rawValue)
        case .signature(let value): try add(quoted: value.rawValue)
        case .descriptor: throw BatonError(.invalidArgument, "Details cannot hold file descriptors.")
        case .bytes(let bytes): try list(bytes.prefix(limit).map { .byte($0) }, depth: depth)
        case .dictionary(let values): try object(values, depth: depth)
        case .array(_, let values), .structure(let values): try list(values, depth: depth)
        case .entries(_, _, let entries):
            try list(entries.map { .structure([$0.key, $0.value]) }, depth: depth)
        case .variant(let inner): try self.value(inner, depth: depth + 1)
        }
    }

    /// A JSON string; control characters are escaped, so that nothing in it can break a line of a log or a terminal.
    static func quote(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            default:
                if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) {
                    let hex = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
