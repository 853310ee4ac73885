/// A word that may be missing, which the journal writes as empty text.
@propertyWrapper
public struct WordOrEmpty<Word: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable, Codable {
    public var wrappedValue: Word?

    public init(wrappedValue: Word?) { self.wrappedValue = wrappedValue }

    /// - Throws: `DecodingError` for a text that is no word.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        wrappedValue = Word(rawValue: text)
        guard wrappedValue != nil || text.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "unknown word"))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue?.rawValue ?? "")
    }
}
