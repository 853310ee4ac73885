public import DBus

/// A message that clients of other versions read: what is missing, or is not understood, is as in `init()`.
///
/// As JSON it has the keys that it has on the bus.
public protocol LenientMessage: FieldMessage {
    /// The keys that were there and could not be read, or not wholly: other versions have other values there. A message
    /// that does not keep them has none.
    var unreadable: [String] { get set }
}

/// One that is always there.
public protocol ReportMessage: LenientMessage, Encodable {}

/// One that may be missing, which the bus says with an empty dictionary.
public protocol OptionalMessage: LenientMessage {
    /// It has what makes it one.
    var isThere: Bool { get }
}

extension LenientMessage {
    public var unreadable: [String] {
        get { [] }
        set {}
    }

    init(reading dictionary: VariantDictionary) {
        let (message, unreadable) = Self.read(dictionary)
        self = message
        self.unreadable = unreadable
    }

    static func read(_ dictionary: VariantDictionary) -> (message: Self, unreadable: [String]) {
        var message = Self()
        var unreadable: [String] = []
        for field in Self.fields {
            let value = dictionary[field.key]
            do throws(DBusError) {
                try field.read(&message, value)
            } catch {
                if value != nil { unreadable.append(field.key) }
            }
        }
        return (message, unreadable)
    }

    public init(from reader: inout ValueReader) throws(DBusError) {
        self.init(reading: try VariantDictionary(from: &reader))
    }
}

extension ReportMessage {
    public init(_ dictionary: VariantDictionary) { self.init(reading: dictionary) }
}

extension OptionalMessage {
    /// Nil if the dictionary has no such message.
    public init?(_ dictionary: VariantDictionary) {
        self.init(reading: dictionary)
        guard isThere else { return nil }
    }
}

extension LenientMessage where Self: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: MessageKey.self)
        for field in Self.fields {
            if let value = field.json(self) { try values.encode(AnyEncodable(value), forKey: MessageKey(field.key)) }
        }
        if !unreadable.isEmpty { try values.encode(unreadable, forKey: MessageKey("unreadable")) }
    }
}

private struct MessageKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

private struct AnyEncodable: Encodable {
    let value: any Encodable

    init(_ value: any Encodable) { self.value = value }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
