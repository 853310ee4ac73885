import Baton
import DBus
import FoundationEssentials

extension ReceiptEntry {
    /// Nil: not one JSON object with all keys of an entry. Others, such as a log store adds, are left alone.
    init?(json: some Sequence<UInt8>) {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(json)) else { return nil }
        self.init(line.values)
        guard unreadable.isEmpty else { return nil }
    }

    /// The keys are those of the message, each with a value of its type.
    private struct Line: Decodable {
        var values: VariantDictionary = [:]

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            for (name, type) in ReceiptEntry.types {
                let key = Key(stringValue: name)
                // Of a receipt that is no longer kept.
                if name == "receipt", try !object.contains(key) || object.decodeNil(forKey: key) { continue }
                values[name] =
                    switch type {
                    case UInt64.signature: .uint64(try object.decode(UInt64.self, forKey: key))
                    case Int64.signature: .int64(try object.decode(Int64.self, forKey: key))
                    default: .string(try object.decode(String.self, forKey: key))
                    }
            }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
