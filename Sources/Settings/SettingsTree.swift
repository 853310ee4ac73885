import LocalAccounts
import Vocabulary

/// The settings file with its drop-ins over it, each node with the file that it is from, and what is wrong with them as YAML.
struct SettingsTree {
    /// As they were read: a later one's keys count.
    let files: [String]
    /// Nil if no file has a key.
    let root: MarkedYAML?
    let faults: [SettingsFault]
    /// The keys whose value the parser itself refused.
    let unusable: Set<String>

    /// - Parameter texts: The settings file, and the files whose keys count instead of its own.
    init(_ texts: [(text: String, file: String)]) {
        files = texts.map(\.file)
        var root: MarkedYAML?
        var faults: [SettingsFault] = []
        var unusable: Set<String> = []
        for (text, file) in texts {
            let found: [MarkedYAML.Fault]
            do throws(MarkedYAML.Faults) {
                let tree: MarkedYAML?
                (tree, found) = try MarkedYAML.parseReportingFaults(text)
                if let tree = tree?.marked(from: file) {
                    if case .map = tree.content {
                        root = root?.overlaid(by: tree) ?? tree
                    } else if !tree.isNull {
                        faults.append(
                            SettingsFault(origin: file, line: tree.line, message: "the file must consist of keys"))
                    }
                }
            } catch {
                found = error.all
            }
            faults += found.map { SettingsFault($0, file: file) }
            unusable.formUnion(found.filter(\.hidesValue).compactMap(\.key))
        }
        (self.root, self.faults, self.unusable) = (root, faults, unusable)
    }

    /// The node of a key, right or wrong.
    func node(_ key: SettingsKey) -> MarkedYAML? {
        var node = root
        for part in key.parts {
            node = node?.pair(part)?.value
        }
        return node
    }

    /// The line in which a key itself stands.
    func line(of key: SettingsKey) -> Int? {
        var (node, line) = (root, Int?.none)
        for part in key.parts {
            let pair = node?.pair(part)
            (node, line) = (pair?.value, pair?.line)
        }
        return line
    }
}
