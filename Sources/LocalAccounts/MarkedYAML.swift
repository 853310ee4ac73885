import Yams

/// A YAML value that knows its line in the text, for messages.
///
/// Scalars stay text: what they mean is decided where the key is known. Anchors, aliases, merge keys and tags are
/// refused, since nothing in a settings file needs them and they hide what a line says.
package struct MarkedYAML: Sendable {
    package struct Pair: Sendable {
        package let key: String
        /// Counted from 1.
        package let line: Int
        package let value: MarkedYAML
    }

    package indirect enum Content: Sendable {
        /// Only a plain scalar, without quotes, can be null.
        case scalar(String, isPlain: Bool)
        case list([MarkedYAML])
        case map([Pair])
    }

    package let line: Int
    package let content: Content
    /// The file that it is from, where several were joined.
    package private(set) var origin: String?

    /// Something that makes the text unusable as a whole or in one place.
    package struct Fault: Error, Sendable, Equatable {
        package let line: Int
        /// The dotted key, when the fault belongs to one.
        package let key: String?
        package let message: String
        /// Whether the tree has nothing to say about the key, because its value was refused.
        package var hidesValue = false
    }

    /// All that was found wrong.
    package struct Faults: Error, Sendable {
        package let all: [Fault]
    }

    package static let largestText = 1 << 20
    private static let deepest = 16

    /// Reads one document; nil when there is nothing but comments.
    package static func parse(_ text: String) throws(Faults) -> MarkedYAML? {
        let (tree, faults) = try parseReportingFaults(text)
        guard faults.isEmpty else { throw Faults(all: faults) }
        return tree
    }

    /// Reads one document as far as possible: with faults that leave the rest readable, such as duplicate keys.
    package static func parseReportingFaults(_ text: String) throws(Faults) -> (MarkedYAML?, [Fault]) {
        guard text.utf8.count <= largestText else {
            throw Faults(all: [Fault(line: 1, key: nil, message: "the file is larger than 1 MiB")])
        }
        try refuseAliasStorm(text)
        var text = text
        var marked = false
        for _ in 0..<100 {
            switch compose(text) {
            case .nothing: return (nil, [])
            case .fault(let fault): throw Faults(all: [fault])
            case .duplicate(let line, let column, let fault):
                // The parser gives up at a duplicate key. Renaming the first one lets it go on to find the others.
                guard let renamed = DuplicateMark.insert(into: text, line: line, column: column) else {
                    throw Faults(all: [fault])
                }
                text = renamed
                marked = true
            case .tree(let root, let parser):
                return withExtendedLifetime(parser) {
                    var faults: [Fault] = []
                    let tree = convert(root, path: [], marked: marked, faults: &faults)
                    return (tree, faults)
                }
            }
        }
        throw Faults(all: [Fault(line: 1, key: nil, message: "too many duplicate keys")])
    }

    private enum Composed {
        case nothing
        case tree(Node, Parser)
        case duplicate(line: Int, column: Int, Fault)
        case fault(Fault)
    }

    /// The errors of the parser hold the whole text, PIN hashes and all, so only their words and places go on.
    private static func compose(_ text: String) -> Composed {
        do {
            let parser = try Parser(yaml: text, encoding: .utf8)
            guard let node = try parser.singleRoot() else { return .nothing }
            if case .scalar(let scalar) = node, scalar.string.isEmpty, scalar.style == .plain { return .nothing }
            return .tree(node, parser)
        } catch YamlError.duplicatedKeysInMapping(let names, let context) {
            let name = names.first.map(\.printable) ?? "?"
            let fault = Fault(line: context.mark.line, key: name, message: "duplicate key")
            return .duplicate(line: context.mark.line, column: context.mark.column, fault)
        } catch YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _) {
            return .fault(Fault(line: mark.line, key: nil, message: "not YAML: \(problem)"))
        } catch YamlError.composer(_, let problem, let mark, _) {
            return .fault(Fault(line: mark.line, key: nil, message: "not usable: \(problem)"))
        } catch YamlError.reader(let problem, let offset, _, _) {
            let before = text.utf8.prefix(max(offset ?? 0, 0))
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            return .fault(Fault(line: line, key: nil, message: "not readable text: \(problem)"))
        } catch {
            return .fault(Fault(line: 1, key: nil, message: "not YAML"))
        }
    }

    /// An alias inside a key makes the parser itself expand it, so what could be a storm never reaches the parser.
    /// A dozen aliases multiply a value a hundred times at most. Lines of comment do not count.
    private static func refuseAliasStorm(_ text: String) throws(Faults) {
        var stars = 0
        for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            guard line.first(where: { $0 != UInt8(ascii: " ") }) != UInt8(ascii: "#") else { continue }
            for (star, next) in zip(line, line.dropFirst()) where star == UInt8(ascii: "*") {
                if next != star, next > UInt8(ascii: " ") { stars += 1 }
            }
            if stars > 12 {
                let message = "more than 12 asterisks that could be aliases"
                throw Faults(all: [Fault(line: index + 1, key: nil, message: message)])
            }
        }
    }

    private static func dotted(_ path: [String]) -> String {
        path.reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : $0 + "." + $1 }
    }

    private static func convert(_ node: Node, path: [String], marked: Bool, faults: inout [Fault]) -> MarkedYAML {
        let line = node.mark?.line ?? 1
        let key = path.isEmpty ? nil : dotted(path)
        func value(_ content: Content) -> MarkedYAML { MarkedYAML(line: line, content: content) }
        func refuse(_ message: String) -> MarkedYAML {
            faults.append(Fault(line: line, key: key, message: message, hidesValue: true))
            return value(.scalar("", isPlain: true))
        }
        guard node.anchor == nil else { return refuse("anchors and aliases are not supported") }
        guard path.count <= deepest else { return refuse("nested too deeply") }
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain || scalar.style == .any
            return value(.scalar(scalar.string, isPlain: isPlain))
        case .sequence(let sequence):
            var items: [MarkedYAML] = []
            for (index, item) in sequence.enumerated() {
                items.append(convert(item, path: path + ["[\(index)]"], marked: marked, faults: &faults))
            }
            return value(.list(items))
        case .mapping(let mapping):
            var pairs: [Pair] = []
            for (keyNode, valueNode) in mapping {
                let place = keyNode.mark?.line ?? line
                guard case .scalar(let scalar) = keyNode, keyNode.anchor == nil else {
                    faults.append(Fault(line: place, key: key, message: "a key must be plain text"))
                    continue
                }
                let name = marked ? DuplicateMark.strip(scalar.string) : scalar.string
                let full = dotted(path + [name.printable])
                if let first = pairs.first(where: { $0.key == name }) {
                    faults.append(
                        Fault(line: place, key: full, message: "duplicate key, first in line \(first.line)"))
                    continue
                }
                let converted = convert(valueNode, path: path + [name.printable], marked: marked, faults: &faults)
                pairs.append(Pair(key: name, line: place, value: converted))
            }
            return value(.map(pairs))
        case .alias:
            return refuse("anchors and aliases are not supported")
        }
    }
}

extension MarkedYAML {
    /// The pair of a key, when this is a map that has it.
    package func pair(_ key: String) -> Pair? {
        guard case .map(let pairs) = content else { return nil }
        return pairs.first { $0.key == key }
    }

    /// The text, when this is a scalar other than null.
    package var text: String? {
        guard case .scalar(let text, _) = content, !isNull else { return nil }
        return text
    }

    /// Whether nothing is written here, or `~` or `null`.
    package var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}
