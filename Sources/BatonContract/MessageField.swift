internal import DBus

/// One key of a `FieldMessage`.
public struct MessageField<Message: FieldMessage>: Sendable {
    public let key: String
    /// Its D-Bus type.
    public let signature: String
    /// Empty where the key says it.
    public let meaning: String
    /// Nil: the key is missing.
    let read: @Sendable (inout Message, Variant?) throws(DBusError) -> Void
    /// Nil: the key is left out.
    let write: @Sendable (Message) -> Variant?
    /// The value in JSON; nil: the key is left out.
    let json: @Sendable (Message) -> (any Encodable)?

    init(
        key: String, signature: String, meaning: String,
        read: @escaping @Sendable (inout Message, Variant?) throws(DBusError) -> Void,
        write: @escaping @Sendable (Message) -> Variant?, json: (@Sendable (Message) -> (any Encodable)?)? = nil
    ) {
        self.key = key
        self.signature = signature
        self.meaning = meaning
        self.read = read
        self.write = write
        self.json = json ?? { write($0).map(JSONVariant.init) }
    }
}

extension MessageField {
    typealias Path<Value> = any WritableKeyPath<Message, Value> & Sendable

    /// A key that may be missing.
    static func value<Value: VariantConvertible>(
        _ key: String, _ path: Path<Value>, _ meaning: String = ""
    ) -> Self {
        Self(key: key, signature: Value.signature, meaning: meaning) { message, variant throws(DBusError) in
            if let variant { message[keyPath: path] = try Self.decode(variant, key) }
        } write: {
            $0[keyPath: path].variant
        }
    }

    /// One that the bus leaves out where it says nothing; JSON always has it.
    static func value<Value: VariantConvertible>(
        _ key: String, _ path: Path<Value>, _ meaning: String = "",
        leftOutIf isNothing: @escaping @Sendable (Message) -> Bool
    ) -> Self {
        let always = value(key, path, meaning)
        return Self(key: key, signature: Value.signature, meaning: meaning, read: always.read) {
            isNothing($0) ? nil : always.write($0)
        } json: { message in
            always.json(message)
        }
    }

    static func sparse<Value: VariantConvertible & Collection>(
        _ key: String, _ path: Path<Value>, _ meaning: String = ""
    ) -> Self {
        value(key, path, meaning) { $0[keyPath: path].isEmpty }
    }

    /// One that must not.
    static func required<Value: VariantConvertible>(
        _ key: String, _ path: Path<Value>, _ meaning: String = ""
    ) -> Self {
        Self(key: key, signature: Value.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { throw Self.missing(key) }
            message[keyPath: path] = try Self.decode(variant, key)
        } write: {
            $0[keyPath: path].variant
        }
    }

    /// One that is left out when there is nothing to say.
    static func optional<Value: VariantConvertible>(
        _ key: String, _ path: Path<Value?>, _ meaning: String
    ) -> Self {
        Self(key: key, signature: Value.signature, meaning: meaning) { message, variant throws(DBusError) in
            if let variant { message[keyPath: path] = try Self.decode(variant, key) }
        } write: {
            $0[keyPath: path]?.variant
        }
    }

    /// One that is left out when it is empty, in JSON too.
    static func nonempty<Value: VariantConvertible & Collection>(_ key: String, _ path: Path<Value>) -> Self {
        Self(key: key, signature: Value.signature, meaning: "") { message, variant throws(DBusError) in
            if let variant { message[keyPath: path] = try Self.decode(variant, key) }
        } write: { message in
            message[keyPath: path].isEmpty ? nil : message[keyPath: path].variant
        }
    }

    /// Text that is shown or kept, and so cut.
    static func text(_ key: String, _ path: Path<String>, _ meaning: String = "", atMost most: Int) -> Self {
        Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { return }
            let text: String = try Self.decode(variant, key)
            message[keyPath: path] = String(text.prefix(most))
        } write: {
            .string($0[keyPath: path])
        }
    }

    static func texts(
        _ key: String, _ path: Path<[String]>, _ meaning: String, atMost most: Int, ofLength length: Int
    ) -> Self {
        Self(key: key, signature: [String].signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { return }
            let texts: [String] = try Self.decode(variant, key)
            message[keyPath: path] = texts.prefix(most).map { String($0.prefix(length)) }
        } write: {
            .strings($0[keyPath: path])
        }
    }

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

    static func optionalWord<Word: RawRepresentable<String> & Sendable>(
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

    /// Nothing here takes longer than a day.
    static func duration(_ key: String, _ path: Path<Duration>, _ meaning: String = "microseconds") -> Self {
        let most: UInt64 = 86_400_000_000
        return Self(key: key, signature: UInt64.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { return }
            let microseconds: UInt64 = try Self.decode(variant, key)
            message[keyPath: path] = .microseconds(Int64(clamping: min(microseconds, most)))
        } write: { message in
            let (seconds, attoseconds) = message[keyPath: path].components
            let whole = UInt64(clamping: min(seconds, 86_400)) * 1_000_000
            return .uint64(min(whole + UInt64(clamping: attoseconds / 1_000_000_000_000), most))
        }
    }

    /// Texts by their names, left out when there are none.
    static func texts(_ key: String, _ path: Path<[String: String]>) -> Self {
        Self(key: key, signature: VariantDictionary.signature, meaning: "") { message, variant throws(DBusError) in
            guard let variant else { return }
            message[keyPath: path] = [:]
            for (name, value) in try Self.decode(variant, key) as VariantDictionary {
                message[keyPath: path][name] = try Self.decode(value, key) as String
            }
        } write: { message in
            message[keyPath: path].isEmpty ? nil : .dictionary(message[keyPath: path].mapValues { .string($0) })
        }
    }

    static func descriptor(_ key: String, _ path: Path<OwnedDescriptor?>, _ meaning: String) -> Self {
        Self(key: key, signature: OwnedDescriptor.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { return }
            guard let descriptor = variant.descriptor else {
                throw .invalidValue(
                    "'\(key)' has type '\(variant.typeSignature)' and not '\(OwnedDescriptor.signature)'")
            }
            message[keyPath: path] = descriptor
        } write: { message in
            message[keyPath: path].map { .descriptor($0) }
        }
    }

    static func message<Inner: DictionaryMessage>(_ key: String, _ path: Path<Inner>) -> Self {
        Self(key: key, signature: Inner.signature, meaning: Inner.manual ?? "") { message, variant throws(DBusError) in
            guard let variant else { throw Self.missing(key) }
            message[keyPath: path] = try Inner(Self.decode(variant, key) as VariantDictionary)
        } write: {
            .dictionary($0[keyPath: path].dictionary)
        }
    }

    static func messages<Inner: DictionaryMessage>(_ key: String, _ path: Path<[Inner]>, atMost most: Int) -> Self {
        Self(key: key, signature: [Inner].signature, meaning: Inner.manual ?? "") {
            message, variant throws(DBusError) in
            message[keyPath: path] = []
            guard let variant else { return }
            for row in (try Self.decode(variant, key) as [VariantDictionary]).prefix(most) {
                message[keyPath: path].append(try Inner(row))
            }
        } write: {
            .dictionaries($0[keyPath: path].map(\.dictionary))
        }
    }

    /// Of a message within a lenient one.
    static func message<Inner: LenientMessage>(_ key: String, _ path: Path<Inner>, _ meaning: String = "") -> Self {
        Self(key: key, signature: Inner.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { throw Self.missing(key) }
            message[keyPath: path] = Inner(reading: try Self.decode(variant, key))
        } write: {
            .dictionary($0[keyPath: path].dictionary)
        }
    }

    static func optionalMessage<Inner: OptionalMessage & Encodable>(
        _ key: String, _ path: Path<Inner?>, _ meaning: String = ""
    ) -> Self {
        Self(key: key, signature: Inner.signature, meaning: meaning) { message, variant throws(DBusError) in
            message[keyPath: path] = nil
            guard let variant else { return }
            message[keyPath: path] = Inner(try Self.decode(variant, key) as VariantDictionary)
        } write: {
            .dictionary($0[keyPath: path]?.dictionary ?? [:])
        } json: { message in
            message[keyPath: path]
        }
    }

    static func messages<Inner: ReportMessage>(_ key: String, _ path: Path<[Inner]>, _ meaning: String = "") -> Self {
        Self(key: key, signature: [Inner].signature, meaning: meaning) { message, variant throws(DBusError) in
            message[keyPath: path] = []
            guard let variant else { return }
            message[keyPath: path] = (try Self.decode(variant, key) as [VariantDictionary]).map { Inner(reading: $0) }
        } write: {
            .dictionaries($0[keyPath: path].map(\.dictionary))
        } json: { message in
            message[keyPath: path]
        }
    }

    // MARK: What is wrong

    private static func decode<Value: VariantConvertible>(_ variant: Variant, _ key: String) throws(DBusError) -> Value
    {
        guard let value = Value(variant) else {
            throw .invalidValue("'\(key)' has type '\(variant.typeSignature)' and not '\(Value.signature)'")
        }
        return value
    }

    private static func word<Word: RawRepresentable<String> & Sendable>(
        _ variant: Variant, _ key: String
    ) throws(DBusError) -> Word {
        guard let word = Word(rawValue: try decode(variant, key)) else {
            throw .invalidValue("'\(key)' has no word that is known here; agent and supervisor must be of one version")
        }
        return word
    }

    private static func missing(_ key: String) -> DBusError { .invalidValue("'\(key)' is missing") }
}
