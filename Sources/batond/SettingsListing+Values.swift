import BatonContract
import FoundationEssentials
import LocalAccounts
import Settings

extension SettingsListing {
    /// Every key: what is set, and the defaults of the rest.
    init(_ values: [SettingsValue]) {
        let set = Dictionary(values.map { ($0.key, $0) }) { first, _ in first }
        let explanations = SettingsExplanation.all
        let sections = Set(explanations.filter { $0.value == nil }.map(\.key))
        let defaults = Dictionary(explanations.filter(\.isDefault).map { ($0.key, $0.value) }) { first, _ in first }
        let keys = explanations.map(\.key).filter { !sections.contains($0) }
        let rest = set.keys.filter { !keys.contains($0) }.sorted()
        self.init(
            settings: (keys + rest).map { key in
                guard let value = set[key] else { return Row(key: key, value: defaults[key] ?? nil, isDefault: true) }
                return Row(
                    key: key, value: value.yaml, origin: value.origin, line: value.line, isDefault: false)
            })
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, numbers and flags alone: nothing that an encoder could refuse.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// A line for each key that is set.
    var text: String {
        settings.filter { !$0.isDefault }.map { "\($0.place ?? ""): \($0.key): \($0.value ?? "…")" }
            .joined(separator: "\n")
    }
}

extension SettingsValue {
    /// Nil: it is not shown.
    fileprivate var yaml: String? {
        switch value {
        case .text(let text): MarkedYAML.scalar(text)
        case .list(let texts): "[\(texts.map(MarkedYAML.scalar).joined(separator: ", "))]"
        case .structure: nil
        }
    }
}
