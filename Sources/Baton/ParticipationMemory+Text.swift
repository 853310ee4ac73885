/// A memory as its file has it: a JSON object of one form. Text of any other form is a memory that is lost, which costs one
/// clearing, so the whole of JSON is not needed here.
extension ParticipationMemory.Contents {
    private static let head = #"{"cleared-through":"#
    private static let middle = #","journal-id":""#
    private static let tail = #""}"#

    var text: String { "\(Self.head)\(clearedThrough)\(Self.middle)\(Self.escaped(journalID))\(Self.tail)" }

    /// - Returns: Nil: it is no such text.
    init?(text: String) {
        guard text.hasPrefix(Self.head), text.hasSuffix(Self.tail) else { return nil }
        let number = text.dropFirst(Self.head.count).prefix { $0 != "," }
        let rest = text[number.endIndex...]
        guard let epoch = Epoch(number), rest.hasPrefix(Self.middle),
            rest.count >= Self.middle.count + Self.tail.count,
            let id = Self.unescaped(rest.dropFirst(Self.middle.count).dropLast(Self.tail.count))
        else { return nil }
        self.init(journalID: id, clearedThrough: epoch)
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\", "/": result += "\\\(scalar)"
            case "\u{0}"..."\u{1f}":
                result += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Nil: it has what `escaped` does not write.
    private static func unescaped(_ text: Substring) -> String? {
        var result = ""
        var rest = text.unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                switch rest.popFirst() {
                case let plain? where plain == "\"" || plain == "\\" || plain == "/":
                    result.unicodeScalars.append(plain)
                case "u":
                    let digits = rest.prefix(4)
                    guard digits.count == 4, let code = UInt8(String(digits), radix: 16), code < 0x20 else {
                        return nil
                    }
                    rest = rest.dropFirst(4)
                    result.unicodeScalars.append(Unicode.Scalar(code))
                default: return nil
                }
            case "\"", "\u{0}"..."\u{1f}": return nil
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
