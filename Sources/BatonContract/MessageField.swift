import DBus

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
    static func nonempty<Value: VariantConvertible & Collection>(
        _ key: String, _ path: Path<Value>, _ meaning: String = ""
    ) -> Self {
        Self(key: key, signature: Value.signature, meaning: meaning) { message, variant throws(DBusError) in
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

    /// Text on one line that a caller gives and that goes to the provider and into a log.
    static func line(_ key: String, _ path: Path<String?>, _ meaning: String = "", atMost most: Int) -> Self {
        Self(key: key, signature: String.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { return }
            let text: String = try Self.decode(variant, key)
            guard (1...most).contains(text.utf8.count),
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { throw .invalidValue("'\(key)' is a text of 1 to \(most) bytes on one line") }
            message[keyPath: path] = text
        } write: { message in
            message[keyPath: path].map { .string($0) }
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
    static func texts(_ key: String, _ path: Path<[String: String]>, _ meaning: String = "") -> Self {
        Self(key: key, signature: VariantDictionary.signature, meaning: meaning) { message, variant throws(DBusError) in
            guard let variant else { return }
            message[keyPath: path] = [:]
            for (name, value) in try Self.decode(variant, key) as VariantDictionary {
                guard let text = value.string else { throw .invalidValue("'\(key)' has texts as values") }
                message[keyPath: path][name] = text
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

    // MARK: What is wrong

    static func decode<Value: VariantConvertible>(_ variant: Variant, _ key: String) throws(DBusError) -> Value {
        guard let value = Value(variant) else {
            throw .invalidValue("'\(key)' has type '\(variant.typeSignature)' and not '\(Value.signature)'")
        }
        return value
    }

    static func missing(_ key: String) -> DBusError { .invalidValue("'\(key)' is missing") }
}
