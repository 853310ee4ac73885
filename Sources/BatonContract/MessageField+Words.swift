import DBus

/// Words of the contract.
extension MessageField {
    /// A word of the contract, which must be there; another one could be taken for something worse.
    static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ path: Path<Word>, _ meaning: String? = nil,
        leftOutIf isNothing: (@Sendable (Message) -> Bool)? = nil
    ) -> Self {
        let meaning = meaning ?? Word.allCases.map(\.rawValue).joined(separator: ", ")
        return Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { throw Self.missing(key) }
            message[keyPath: path] = try Self.word(variant, key)
        } write: {
            isNothing?($0) == true ? nil : .string($0[keyPath: path].rawValue)
        } json: { message in
            message[keyPath: path].rawValue
        }
    }

    /// A word that may be missing; then it is as in `init()`.
    static func wordOrDefault<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ path: Path<Word>, _ meaning: String
    ) -> Self {
        Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            if let variant { message[keyPath: path] = try Self.word(variant, key) }
        } write: {
            .string($0[keyPath: path].rawValue)
        }
    }

    /// A word that a newer daemon may have more of: one that is not known here is nil, and `UnknownWord` in JSON.
    static func wordIfKnown<Word: RawRepresentable<String> & Sendable>(
        _ key: String, _ path: Path<Word?>, _ meaning: String = ""
    ) -> Self {
        Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            message[keyPath: path] = nil
            guard let variant else { return }
            message[keyPath: path] = Word(rawValue: try Self.decode(variant, key))
        } write: {
            .string($0[keyPath: path]?.rawValue ?? UnknownWord.text)
        }
    }

    /// A word that may be missing, which the bus says with an empty text.
    static func wordOrEmpty<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ path: Path<Word?>, _ meaning: String? = nil
    ) -> Self {
        let meaning = meaning ?? Word.allCases.map(\.rawValue).joined(separator: ", ")
        return Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            message[keyPath: path] = nil
            guard let variant, variant.string?.isEmpty != true else { return }
            message[keyPath: path] = try Self.word(variant, key) as Word
        } write: { message in
            .string(message[keyPath: path]?.rawValue ?? "")
        }
    }

    static func optionalWord<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ path: Path<Word?>, _ meaning: String
    ) -> Self {
        Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            if let variant { message[keyPath: path] = try Self.word(variant, key) as Word }
        } write: { message in
            message[keyPath: path].map { .string($0.rawValue) }
        }
    }

    static func words<Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable>(
        _ key: String, _ path: Path<Set<Word>>, _ meaning: String
    ) -> Self {
        let meaning = "\(meaning): \(Word.allCases.map(\.rawValue).joined(separator: ", "))"
        return Self(key: key, signature: [String].signature, meaning: meaning) { message, variant throws(DBusError) in
            message[keyPath: path] = []
            guard let variant else { return }
            for text in try Self.decode(variant, key) as [String] {
                message[keyPath: path].insert(try Self.word(.string(text), key))
            }
        } write: {
            .strings($0[keyPath: path].map(\.rawValue).sorted())
        }
    }

    /// A text that has a type of its own, which also takes one that is not known here.
    static func typedText<Value: RawRepresentable<String> & Sendable>(
        _ key: String, _ path: Path<Value>, _ meaning: String = ""
    ) -> Self {
        Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { return }
            guard let value = Value(rawValue: try Self.decode(variant, key)) else {
                throw .invalidValue("'\(key)' has a value that is not known here")
            }
            message[keyPath: path] = value
        } write: {
            .string($0[keyPath: path].rawValue)
        }
    }

    private static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ variant: Variant, _ key: String
    ) throws(DBusError) -> Word {
        guard let word = Word(rawValue: try decode(variant, key)) else {
            throw .invalidValue("'\(key)' is one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }
}
