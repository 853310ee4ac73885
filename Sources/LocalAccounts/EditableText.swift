/// A text and the places in it that a parsed YAML tree names, to change a part and leave the rest alone.
struct EditableText {
    private(set) var scalars: [Unicode.Scalar]
    private let lineStarts: [Int]

    /// Nil for a text whose lines the parser would count differently.
    init?(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        guard !scalars.contains(where: { ["\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}"].contains($0) }) else {
            return nil
        }
        self.scalars = scalars
        lineStarts = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
    }

    var text: String { String(String.UnicodeScalarView(scalars)) }

    mutating func replace(_ range: Range<Int>, with text: String) {
        scalars.replaceSubrange(range.clamped(to: 0..<scalars.count), with: text.unicodeScalars)
    }

    /// The offset of a line and column counted from 1.
    func offset(line: Int, column: Int) -> Int? {
        guard lineStarts.indices.contains(line - 1), column >= 1 else { return nil }
        let offset = lineStarts[line - 1] + column - 1
        return offset <= scalars.count ? offset : nil
    }

    func start(of node: MarkedYAML) -> Int? { offset(line: node.line, column: node.column) }

    /// Whether a list or map stands in brackets; the parser does not tell.
    func isFlow(_ node: MarkedYAML) -> Bool {
        guard let first = start(of: node).flatMap({ scalar($0) }) else { return false }
        switch node.content {
        case .list: return first == "["
        case .map: return first == "{"
        case .scalar: return false
        }
    }

    func scalar(_ offset: Int) -> Unicode.Scalar? { scalars.indices.contains(offset) ? scalars[offset] : nil }

    func lineStart(_ offset: Int) -> Int { lineStarts.last { $0 <= offset } ?? 0 }

    /// The offset of the line's end, without its newline.
    func lineEnd(_ offset: Int) -> Int { scalars[min(offset, scalars.count)...].firstIndex(of: "\n") ?? scalars.count }

    /// Whether nothing but blanks and a comment follows on this line.
    func restIsBlank(_ offset: Int) -> Bool {
        let rest = scalars[min(offset, scalars.count)..<lineEnd(offset)]
        guard let first = rest.first(where: { $0 != " " && $0 != "\t" }) else { return true }
        return first == "#" && (rest.first == " " || rest.first == "\t")
    }

    /// The offset behind the key's colon.
    func afterColon(_ pair: MarkedYAML.Pair) -> Int? {
        guard let start = offset(line: pair.line, column: pair.column) else { return nil }
        let colon = start + pair.key.unicodeScalars.count
        guard colon <= scalars.count, scalars[start..<colon].elementsEqual(pair.key.unicodeScalars),
            scalar(colon) == ":"
        else { return nil }
        return colon + 1
    }

    /// The offset behind the last character of a node; nil where the text does not tell it plainly.
    func end(of node: MarkedYAML) -> Int? {
        guard let start = start(of: node) else { return nil }
        if isFlow(node) { return endOfFlow(start) }
        switch node.content {
        case .list(let items): return items.last.flatMap { end(of: $0) }
        case .map(let pairs): return pairs.last.flatMap { end(of: $0.value) }
        case .scalar(_, .double): return endOfQuotes(start, quote: "\"")
        case .scalar(_, .single): return endOfQuotes(start, quote: "'")
        case .scalar(_, .block): return nil
        case .scalar(let text, .plain):
            let end = start + text.unicodeScalars.count
            guard !text.isEmpty, end <= scalars.count, scalars[start..<end].elementsEqual(text.unicodeScalars) else {
                return nil
            }
            return end
        }
    }

    private func endOfQuotes(_ start: Int, quote: Unicode.Scalar) -> Int? {
        guard scalar(start) == quote else { return nil }
        var index = start + 1
        while let current = scalar(index) {
            if quote == "\"", current == "\\" {
                index += 2
            } else if current == quote {
                guard quote == "'", scalar(index + 1) == "'" else { return index + 1 }
                index += 2
            } else {
                index += 1
            }
        }
        return nil
    }

    private func endOfFlow(_ start: Int) -> Int? {
        var depth = 0
        var index = start
        while let current = scalar(index) {
            let previous = index > start ? scalars[index - 1] : " "
            let begins = [" ", "\t", "\n", "[", "{", ",", ":"].contains(previous)
            switch current {
            case "[", "{": depth += 1
            case "]", "}": depth -= 1
            case "\"" where begins, "'" where begins:
                guard let end = endOfQuotes(index, quote: current) else { return nil }
                index = end
                continue
            case "#" where [" ", "\t", "\n"].contains(previous):
                index = lineEnd(index)
                continue
            default: break
            }
            index += 1
            if depth == 0 { return index }
        }
        return nil
    }
}
