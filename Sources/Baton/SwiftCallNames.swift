import BatonContract
import DBus

/// batond's texts name the calls of the bus; to who writes Swift they name this library's, which have the same names in
/// Swift's way.
package enum SwiftCallNames {
    /// Those that are no English words.
    private static let calls: Set<String> = Set(
        Interfaces.device.flatMap { $0.methods.map(\.name.rawValue) }
            .filter { $0.dropFirst().contains(where: \.isUppercase) })

    static func replaced(in text: String) -> String {
        replacing(calls, in: text) { $0.prefix(1).lowercased() + $0.dropFirst() }
    }

    /// The text with those words changed that stand alone in it.
    package static func replacing(
        _ words: Set<String>, in text: String, by change: (Substring) -> String
    ) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(where: \.isLetter) {
            result += rest[..<start]
            let word = rest[start...].prefix(while: \.isLetter)
            result += words.contains(String(word)) ? change(word) : String(word)
            rest = rest[word.endIndex...]
        }
        return result + rest
    }
}
