import FoundationEssentials
import WebText

extension JSONValue {
    /// Reads JSON of any depth and size, since the provider's answers may exceed what `JSONValue` reads.
    static func unbounded(_ bytes: some Sequence<UInt8>) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }
}
