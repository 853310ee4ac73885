import Configuration
import LocalAccounts
import Vocabulary

/// Reads typed values from the layers above the file and from the file, and collects every fault on the way.
struct SettingsReader {
    let file: String
    private let layers: [SettingsLayer]
    private let tree: SettingsTree
    private let fileLayer: InMemoryProvider
    private(set) var faults: [SettingsFault] = []
    private(set) var warnings: [SettingsFault] = []
    /// Every key that was asked for: what is in the file beside them is unknown.
    private(set) var known: Set<SettingsKey> = []
    private var structures: Set<SettingsKey> = []
    /// What stands behind each key that is set, and where.
    private(set) var values: [SettingsKey: SettingsValue] = [:]
    /// What each key can be.
    private(set) var kinds: [SettingsKey: SettingsKind] = [:]
    private var origins: [SettingsKey: (origin: String, line: Int?)] = [:]

    init(text: String, file: String, layers: [SettingsLayer]) {
        self.init([(text, file)], layers: layers)
    }

    /// - Parameter texts: The settings file, and the files whose keys count instead of its own.
    init(_ texts: [(text: String, file: String)], layers: [SettingsLayer]) {
        file = texts.first?.file ?? ""
        tree = SettingsTree(texts)
        self.layers = layers
        faults = tree.faults
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        Self.flatten(tree.root, path: [], into: &values)
        fileLayer = InMemoryProvider(name: file, values: values)
    }

    private static func flatten(
        _ node: MarkedYAML?, path: [String], into values: inout [AbsoluteConfigKey: ConfigValue]
    ) {
        guard let node else { return }
        switch node.content {
        case .map(let pairs):
            for pair in pairs {
                flatten(pair.value, path: path + [pair.key], into: &values)
            }
        case .list(let items):
            let texts = items.compactMap(\.text)
            if texts.count == items.count {
                values[AbsoluteConfigKey(path)] = ConfigValue(.stringArray(texts), isSecret: false)
            }
        case .scalar:
            if let text = node.text {
                values[AbsoluteConfigKey(path)] = ConfigValue(.string(text), isSecret: false)
            }
        }
    }

    /// One value, or the default when it is nowhere set or is wrong.
    mutating func value<Value>(
        _ key: SettingsKey, default fallback: Value, expected: String, _ parse: (String) -> Value?
    ) -> Value {
        note(key, .value(expected))
        guard case .string(let text)? = lookUp(key, type: .string) else { return fallback }
        guard let value = parse(text) else {
            refuse(key, "'\(SettingsText.printable(text))' is not \(expected)")
            return fallback
        }
        return value
    }

    /// One value, or nil when it is nowhere set or is wrong.
    mutating func optional<Value>(_ key: SettingsKey, expected: String, _ parse: (String) -> Value?) -> Value? {
        value(key, default: Value?.none, expected: expected) { text -> Value?? in
            // Nil must stay "wrong" and not become the value nil.
            if let value = parse(text) { .some(.some(value)) } else { Value??.none }
        }
    }

    /// A list of values; a wrong element is a fault of its own and is left out.
    mutating func list<Value>(
        _ key: SettingsKey, default fallback: [Value], expected: String, _ parse: (String) -> Value?
    ) -> [Value] {
        note(key, .list(expected))
        guard case .stringArray(let texts)? = lookUp(key, type: .stringArray) else { return fallback }
        let fromFile = origins[key]?.line != nil
        var values: [Value] = []
        for (index, text) in texts.enumerated() {
            if let value = parse(text) {
                values.append(value)
            } else {
                let message = "'\(SettingsText.printable(text))' is not \(expected)"
                refuse(key, message, line: fromFile ? node(key)?.item(index)?.line : nil)
            }
        }
        return values
    }

    /// A word from a fixed choice.
    mutating func word<Value: RawRepresentable & CaseIterable>(
        _ key: SettingsKey, default fallback: Value
    ) -> Value where Value.RawValue == String {
        note(key, .word(Value.allCases.map(\.rawValue)))
        let words = Value.allCases.map(\.rawValue).joined(separator: " or ")
        return value(key, default: fallback, expected: words, Value.init(rawValue:))
    }

    /// The file's own node for a key that single values cannot express.
    mutating func structure(_ key: SettingsKey) -> MarkedYAML? {
        known.insert(key)
        structures.insert(key)
        note(key, .structure)
        let node = node(key)
        if let node, !node.isNull {
            origins[key] = (node.origin ?? file, nil)
            values[key] = SettingsValue(
                key: key.name, value: .structure, origin: node.origin ?? file, line: line(of: key))
        }
        return node
    }

    /// Whether the key has a value anywhere, right or wrong; it is known from now on.
    mutating func isSet(_ key: SettingsKey) -> Bool {
        known.insert(key)
        if let node = node(key), !node.isNull {
            // Faults of a key that no reader asks for need a place too.
            if origins[key] == nil { origins[key] = (node.origin ?? file, node.line) }
            return true
        }
        let absolute = AbsoluteConfigKey(key.parts)
        for layer in layers {
            guard let result = try? layer.provider.value(forKey: absolute, type: .string), result.value != nil else {
                continue
            }
            if origins[key] == nil { origins[key] = ("\(layer.name) \(result.encodedKey)", nil) }
            return true
        }
        return false
    }

    /// Whether a layer above the file has a value for the key.
    func isSetAbove(_ key: SettingsKey) -> Bool {
        let absolute = AbsoluteConfigKey(key.parts)
        return layers.contains { (try? $0.provider.value(forKey: absolute, type: .string))?.value != nil }
    }

    /// Notes that a key must be there, at the place of its section.
    mutating func refuseMissing(_ key: SettingsKey, in section: SettingsKey) {
        let node = node(section)
        if origins[key] == nil { origins[key] = (node?.origin ?? file, node?.line) }
        refuse(key, "is missing")
    }

    /// Notes a fault at the place where the key was set, or at the given line of the file.
    mutating func refuse(
        _ key: SettingsKey, _ message: String, line: Int? = nil, unreadableFile: String? = nil
    ) {
        let place = origins[key] ?? (origin: file, line: nil)
        let fault = SettingsFault(
            origin: place.origin, line: line ?? place.line, key: key.name, message: message,
            unreadableFile: unreadableFile)
        // What the parser refused is not a wrong value as well.
        guard !tree.unusable.contains(key.name) else { return }
        faults.append(fault)
    }

    /// Notes a fault of several keys together, at the first of them that is set anywhere. Where one of them is wrong
    /// by itself, nothing can be said of them together.
    mutating func refuse(anyOf keys: [SettingsKey], _ message: String) {
        guard !faults.contains(where: { fault in keys.contains { $0.name == fault.key } }) else { return }
        if let key = keys.first(where: { origins[$0] != nil }) ?? keys.first {
            refuse(key, message)
        }
    }

    mutating func warn(line: Int?, key: SettingsKey, _ message: String) {
        let origin = node(key)?.origin ?? file
        warnings.append(SettingsFault(origin: origin, line: line, key: key.name, message: message))
    }

    /// Takes over what was found in another file.
    mutating func adopt(faults: [SettingsFault], warnings: [SettingsFault]) {
        self.faults += faults
        self.warnings += warnings
    }

    private mutating func lookUp(_ key: SettingsKey, type: ConfigType) -> ConfigContent? {
        known.insert(key)
        let absolute = AbsoluteConfigKey(key.parts)
        for layer in layers {
            do {
                let result = try layer.provider.value(forKey: absolute, type: type)
                if let value = result.value {
                    origins[key] = ("\(layer.name) \(result.encodedKey)", nil)
                    remember(key, value.content)
                    return value.content
                }
            } catch {
                origins[key] = (layer.name, nil)
                refuse(key, type == .string ? "must be text" : "must be a list of texts")
                return nil
            }
        }
        guard let node = node(key) else { return nil }
        origins[key] = (node.origin ?? file, node.line)
        guard let value = try? fileLayer.value(forKey: absolute, type: type).value else {
            refuse(
                key, node.isNull ? "has no value" : type == .string ? "must be one value" : "must be a list of values")
            return nil
        }
        remember(key, value.content)
        return value.content
    }

    private mutating func remember(_ key: SettingsKey, _ content: ConfigContent) {
        guard let place = origins[key] else { return }
        let value: SettingsValue.Content? =
            switch content {
            case .string(let text): .text(text)
            case .stringArray(let texts): .list(texts)
            default: nil
            }
        if let value {
            values[key] = SettingsValue(key: key.name, value: value, origin: place.origin, line: place.line)
        }
    }

    /// What a key can be; of several that ask for it the first knows best.
    mutating func note(_ key: SettingsKey, _ kind: SettingsKind) {
        if kinds[key] == nil { kinds[key] = kind }
    }

    /// The node of a key in the files, right or wrong.
    func node(_ key: SettingsKey) -> MarkedYAML? { tree.node(key) }

    /// The line in which a key of the files itself stands.
    func line(of key: SettingsKey) -> Int? { tree.line(of: key) }

    /// Looks for what no reader asked for; call when everything was read.
    mutating func finish() {
        if let root = tree.root {
            findUnknown(root, path: [], known: Set(known.map(\.name)))
        }
        let variables = Set(known.subtracting(structures).map(SettingsLayer.variable(for:)))
        for layer in layers {
            for name in layer.names where !variables.contains(name) {
                // The process that starts the program may have called it anything.
                let origin = "\(layer.name) \(SettingsText.printable(name))"
                if Self.secretNames.contains(where: { name.hasSuffix($0) }) {
                    // Every process of the same user can read the environment.
                    faults.append(SettingsFault(origin: origin, message: Self.secretAdvice))
                    continue
                }
                warnings.append(SettingsFault(origin: origin, message: "has no effect, ignored"))
            }
        }
        faults.sort { left, right in
            guard left.origin == right.origin else {
                return tree.files.firstIndex(of: left.origin) ?? .max < tree.files.firstIndex(of: right.origin) ?? .max
            }
            return (left.line ?? 0) < (right.line ?? 0)
        }
    }

    private mutating func findUnknown(_ node: MarkedYAML, path: [String], known: Set<String>) {
        guard case .map(let pairs) = node.content else {
            if !node.isNull {
                faults.append(
                    SettingsFault(
                        origin: node.origin ?? file, line: node.line, key: path.joined(separator: "."),
                        message: "must be a section of keys"))
            }
            return
        }
        for pair in pairs {
            let name = (path + [pair.key]).joined(separator: ".")
            let dotted = pair.key.contains(".")
            if !dotted, known.contains(name) {
                continue
            } else if !dotted, known.contains(where: { $0.hasPrefix(name + ".") }) {
                findUnknown(pair.value, path: path + [pair.key], known: known)
            } else {
                let message = Self.suggestion(for: name, among: known)
                faults.append(
                    SettingsFault(
                        origin: pair.value.origin ?? file, line: pair.line, key: SettingsText.printable(name),
                        message: message))
            }
        }
    }

    private static let secretNames = ["CLIENT_SECRET", "CLIENT_CERTIFICATE"]
    private static let secretAdvice =
        "a secret is not taken from here: put it into a file with mode 0600 and name that in "
        + "\(SettingsKey.identityClientSecretFile) or \(SettingsKey.identityClientCertificateFile.leaf)"

    private static func suggestion(for name: String, among known: Set<String>) -> String {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        if ["client-secret", "client-certificate"].contains(last) { return "unknown key; \(secretAdvice)" }
        let similar = known.sorted().first { $0 == last || $0.hasSuffix("." + last) }
        return similar.map { "unknown key; did you mean \($0)?" } ?? "unknown key"
    }
}

extension SettingsFault {
    init(_ fault: MarkedYAML.Fault, file: String) {
        self.init(origin: file, line: fault.line, key: fault.key, message: fault.message)
    }
}

extension MarkedYAML {
    func item(_ index: Int) -> MarkedYAML? {
        guard case .list(let items) = content, items.indices.contains(index) else { return nil }
        return items[index]
    }
}
