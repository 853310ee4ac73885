/// Makes a duplicate key different for the parser, which would stop there.
enum DuplicateMark {
    /// A private-use character, which no key of ours begins with.
    private static let mark: Unicode.Scalar = "\u{E0B7}"

    /// The text with one more mark at the beginning of the key in this place; nil when there is none.
    static func insert(into text: String, line: Int, column: Int) -> String? {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        var current = 1
        while current < line {
            guard let next = scalars[index...].firstIndex(of: "\n") else { return nil }
            index = scalars.index(after: next)
            current += 1
        }
        guard
            var place = scalars.index(index, offsetBy: max(column - 1, 0), limitedBy: scalars.endIndex),
            place < scalars.endIndex
        else { return nil }
        if scalars[place] == "\"" || scalars[place] == "'" {
            place = scalars.index(after: place)
        }
        var result = String(scalars[..<place])
        result.unicodeScalars.append(mark)
        result.unicodeScalars.append(contentsOf: scalars[place...])
        return result
    }

    static func strip(_ key: String) -> String {
        String(String.UnicodeScalarView(key.unicodeScalars.drop { $0 == mark }))
    }
}
