import DBus

/// Messages within messages.
extension MessageField {
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
            let (inner, unreadable) = Inner.read(try Self.decode(variant, key))
            message[keyPath: path] = inner.isThere ? inner : nil
            if !unreadable.isEmpty { throw Self.readInPart(key) }
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
            let rows = (try Self.decode(variant, key) as [VariantDictionary]).map { Inner.read($0) }
            message[keyPath: path] = rows.map(\.message)
            if rows.contains(where: { !$0.unreadable.isEmpty }) { throw Self.readInPart(key) }
        } write: {
            .dictionaries($0[keyPath: path].map(\.dictionary))
        } json: { message in
            message[keyPath: path]
        }
    }

    /// The keys of a message that stands in this one without a dictionary of its own.
    static func fields<Inner: FieldMessage>(of path: Path<Inner>) -> [Self] {
        Inner.fields.map { field in
            Self(key: field.key, signature: field.signature, meaning: field.meaning) {
                message, variant throws(DBusError) in
                try field.read(&message[keyPath: path], variant)
            } write: {
                field.write($0[keyPath: path])
            } json: {
                field.json($0[keyPath: path])
            }
        }
    }

    /// What could be read of it stands in the message.
    private static func readInPart(_ key: String) -> DBusError {
        .invalidValue("'\(key)' has values that are not known here")
    }
}
