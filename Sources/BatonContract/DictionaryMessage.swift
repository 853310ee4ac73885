public import DBus

/// A message that travels as `a{sv}`. It says its fields once: reading, writing and the words of the manual follow.
public protocol FieldMessage: DBusValue {
    /// With the values of keys that are missing.
    init()

    static var fields: [MessageField<Self>] { get }
}

/// One that must be understood: what cannot be read is an error.
///
/// Keys that are unknown are ignored, since a newer version may add some, unless the message refuses them.
public protocol DictionaryMessage: FieldMessage {
    /// An unknown key is an error and not ignored.
    static var refusesUnknownKeys: Bool { get }
}

extension DictionaryMessage {
    public static var refusesUnknownKeys: Bool { false }

    /// - Throws: `DBusError.invalidValue` for a key that is missing and must not be, for a value of another type, for a word
    ///   that this version does not know, and for an unknown key where these are refused.
    public init(_ dictionary: VariantDictionary) throws(DBusError) {
        self.init()
        if Self.refusesUnknownKeys, let key = dictionary.keys.first(where: { Self.types[$0] == nil }) {
            throw .invalidValue("there is no option '\(key.prefix(64))'")
        }
        for field in Self.fields { try field.read(&self, dictionary[field.key]) }
    }

    public init(from reader: inout ValueReader) throws(DBusError) {
        try self.init(VariantDictionary(from: &reader))
    }
}

extension FieldMessage {
    public var dictionary: VariantDictionary {
        var values: VariantDictionary = [:]
        for field in Self.fields { values[field.key] = field.write(self) }
        return values
    }

    /// The D-Bus type of each key.
    public static var types: [String: String] {
        Dictionary(fields.map { ($0.key, $0.signature) }, uniquingKeysWith: { first, _ in first })
    }

    /// The keys with their types and what they mean, as the interfaces' XML says it.
    public static var manual: String? { manualText { _ in true } }

    static func manualText(where isSaid: (String) -> Bool) -> String {
        fields.filter { isSaid($0.key) }.map { field in
            field.meaning.isEmpty
                ? "\(field.key) \(field.signature)" : "\(field.key) \(field.signature) (\(field.meaning))"
        }.joined(separator: ", ")
    }

    public static var signature: String { VariantDictionary.signature }

    public func write(to writer: inout ValueWriter) throws(DBusError) { try dictionary.write(to: &writer) }
}
