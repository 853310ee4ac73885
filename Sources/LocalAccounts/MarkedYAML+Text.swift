import Vocabulary

extension MarkedYAML {
    /// The text of a file with these keys: a line each, sections indented, lists and all that is deeper in one line. Comments are
    /// not in the tree.
    package var document: String {
        guard case .map(let pairs) = content else { return line(of: self) + "\n" }
        return pairs.map { pair in
            guard case .map(let keys) = pair.value.content, !keys.isEmpty else {
                return "\(Self.scalar(pair.key)): \(line(of: pair.value))\n"
            }
            return "\(Self.scalar(pair.key)):\n"
                + keys.map { "  \(Self.scalar($0.key)): \(line(of: $0.value))\n" }.joined()
        }.joined()
    }

    static let empty = MarkedYAML(line: 1, content: .map([]))

    private func line(of node: MarkedYAML) -> String {
        switch node.content {
        case .scalar: node.text.map(Self.scalar) ?? "~"
        case .list(let items): "[\(items.map { line(of: $0) }.joined(separator: ", "))]"
        case .map(let pairs):
            "{\(pairs.map { "\(Self.scalar($0.key)): \(line(of: $0.value))" }.joined(separator: ", "))}"
        }
    }

    /// A text, in quotes where YAML could take it for something else.
    package static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.first?.isLetterOrDigit == true
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_./%".utf8.contains($0) }
            && !["null", "Null", "NULL"].contains(text)
        return isPlain ? text : quoted(text)
    }

    /// Between double quotes every text means itself, whatever it would be without them.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            // MarkedYAML refuses a text with many asterisks before it knows what they are.
            case "*": quoted += "\\x2A"
            case _ where scalar.isPlain: quoted.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\U" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
            }
        }
        return quoted + "\""
    }

    /// The same with this at a key, whose sections are made where they are missing; nil takes the key away.
    package func with(_ value: MarkedYAML?, at path: some Collection<String>) -> MarkedYAML {
        guard let first = path.first else { return value ?? self }
        var pairs: [Pair] = if case .map(let pairs) = content { pairs } else { [] }
        let place = pairs.firstIndex { $0.key == first }
        let rest = path.dropFirst()
        var new: MarkedYAML?
        if !rest.isEmpty {
            let section = place.map { pairs[$0].value } ?? MarkedYAML(line: line, content: .map([]))
            let changed = section.with(value, at: rest)
            if case .map(let keys) = changed.content, keys.isEmpty { new = nil } else { new = changed }
        } else {
            new = value
        }
        let pair = new.map { Pair(key: first, line: line, value: $0) }
        switch (place, pair) {
        case (let place?, let pair?): pairs[place] = pair
        case (let place?, nil): pairs.remove(at: place)
        case (nil, let pair?): pairs.append(pair)
        case (nil, nil): break
        }
        return MarkedYAML(line: line, content: .map(pairs))
    }
}
