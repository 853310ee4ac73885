extension MarkedYAML {
    /// The same, with the file that all of it is from.
    package func marked(from origin: String) -> MarkedYAML {
        let content: Content =
            switch self.content {
            case .scalar: self.content
            case .list(let items): .list(items.map { $0.marked(from: origin) })
            case .map(let pairs):
                .map(pairs.map { Pair(key: $0.key, line: $0.line, value: $0.value.marked(from: origin)) })
            }
        return MarkedYAML(line: line, content: content, origin: origin)
    }

    /// This with a later file's keys over it: sections are joined, all else is replaced as a whole.
    package func overlaid(by later: MarkedYAML) -> MarkedYAML {
        guard case .map(var pairs) = content, case .map(let others) = later.content else { return later }
        for other in others {
            if let place = pairs.firstIndex(where: { $0.key == other.key }) {
                pairs[place] = Pair(
                    key: other.key, line: other.line, value: pairs[place].value.overlaid(by: other.value))
            } else {
                pairs.append(other)
            }
        }
        return MarkedYAML(line: line, content: .map(pairs), origin: origin)
    }
}
