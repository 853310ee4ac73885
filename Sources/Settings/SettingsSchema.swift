import FoundationEssentials
import LocalAccounts
import Vocabulary
import WebText

/// The settings as a JSON Schema, for editors and for checks before a roll-out: made of what the reader asks for and of what the
/// example says. (https://json-schema.org/draft/2020-12)
public enum SettingsSchema {
    /// The schema's text.
    ///
    /// - Throws: What the encoder throws; it has no reason to.
    public static var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(JSONValue.object(schema)), as: UTF8.self)
        }
    }

    private static var schema: [String: JSONValue] {
        let explanations = Dictionary(SettingsExplanation.all.map { ($0.key, $0) }) { first, _ in first }
        var sections: [String: [String: JSONValue]] = [:]
        var properties: [String: JSONValue] = [:]
        for (key, kind) in Settings.kinds {
            let node = JSONValue.object(node(kind, explanations[key.name]))
            let parts = key.parts
            if parts.count == 2 {
                sections[parts[0], default: [:]][parts[1]] = node
            } else {
                properties[key.name] = node
            }
        }
        for (name, keys) in sections { properties[name] = .object(section(keys, explanations[name]?.text)) }
        var schema = section(properties, "The settings of Baton: baton.yaml and its drop-ins.")
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "baton.yaml"
        return schema
    }

    private static func section(_ keys: [String: JSONValue], _ text: String?) -> [String: JSONValue] {
        var node: [String: JSONValue] = ["type": "object", "additionalProperties": false, "properties": .object(keys)]
        if let text, !text.isEmpty { node["description"] = .string(text) }
        return node
    }

    private static func node(_ kind: SettingsKind, _ explanation: SettingsExplanation?) -> [String: JSONValue] {
        var node = node(kind, isMap: explanation?.value?.hasPrefix("{") == true)
        let texts = [explanation?.text ?? "", kind.expected.map { "Expected: \($0)." } ?? ""].filter { !$0.isEmpty }
        if !texts.isEmpty { node["description"] = .string(texts.joined(separator: " ")) }
        if let explanation, explanation.isDefault, let tree = explanation.value.flatMap({ try? MarkedYAML.parse($0) }) {
            node["default"] = JSONValue(tree)
        }
        return node
    }

    private static func node(_ kind: SettingsKind, isMap: Bool) -> [String: JSONValue] {
        switch kind {
        case .word(let words):
            // YAML 1.1, which some editors still read, takes `off` and `on` for booleans.
            let booleans = words.compactMap { ["off": false, "on": true][$0] }.map { JSONValue.boolean($0) }
            return ["enum": .array(words.map { .string($0) } + booleans)]
        case .flag: return ["enum": [true, false, "yes", "no", "on", "off"]]
        case .count(let range):
            return [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ]
        case .value(let expected):
            var node: [String: JSONValue] = ["type": ["string", "number", "boolean"]]
            if expected.contains(SettingsText.durationExample) {
                let words = ["always", "off"].filter { expected.contains($0) }.map { $0 + "|" }.joined()
                node["pattern"] = .string("^(\(words)[0-9]+(ms|s|min|h|d))$")
            }
            return node
        case .list: return ["type": ["array", "string", "boolean"], "items": ["type": ["string", "number"]]]
        case .structure: return ["type": isMap ? "object" : "array"]
        }
    }
}

extension SettingsKind {
    fileprivate var expected: String? {
        switch self {
        case .value(let expected), .list(let expected): expected
        case .word, .flag, .count, .structure: nil
        }
    }
}

extension JSONValue {
    /// What a value of the example is in JSON.
    fileprivate init?(_ tree: MarkedYAML) {
        switch tree.content {
        case .scalar(let text, let isPlain):
            if isPlain, let number = Int64(text) {
                self = .integer(number)
            } else if isPlain, ["true", "false"].contains(text) {
                self = .boolean(text == "true")
            } else {
                self = .string(text)
            }
        case .list(let items): self = .array(items.compactMap { JSONValue($0) })
        case .map(let pairs):
            let members = pairs.compactMap { pair in JSONValue(pair.value).map { (pair.key, $0) } }
            self = .object(Dictionary(members) { $1 })
        }
    }
}
