import FoundationEssentials

/// Output for programs: keys sorted, their names stable.
enum JSONOutput {
    /// For one document, to be read by people too.
    static func document(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    }

    /// For one line of a stream.
    static func line(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    private static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
