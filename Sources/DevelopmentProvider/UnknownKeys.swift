/// Refuses keys that a file's format does not have, so that a slip of the pen is found.
enum UnknownKeys {
    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static func refuse<Key: CodingKey & CaseIterable>(_: Key.Type, in decoder: any Decoder) throws {
        let known = Set(Key.allCases.map(\.stringValue))
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath + [key], debugDescription: "unknown key '\(key.stringValue)'"))
        }
    }
}
