public import SystemPackage
import Vocabulary

/// The drop-in that `batonctl settings set` writes, beside the settings file and whatever else lies there.
public struct SettingsDropIn: Sendable {
    public typealias Fault = AccountsFile.Fault

    public let path: FilePath
    private let settings: FilePath
    private let newMode: UInt32
    private let newGroup: UInt32?

    private static let header = """
        # Written by `batonctl settings set`, which keeps the values of this file and no comments. It is read after baton.yaml.

        """

    /// - Parameters:
    ///   - settings: The settings file.
    ///   - newMode: For a file that does not exist yet, if the mode of the settings file is no example.
    ///   - newGroup: In the same way, its group; nil: that of the settings file.
    public init(of settings: FilePath, newMode: UInt32, newGroup: UInt32?) {
        path = DropIns.folder(of: settings).appending("50-batonctl.yaml")
        self.settings = settings
        self.newMode = newMode
        self.newGroup = newGroup
    }

    /// What stands in the place of the present values.
    ///
    /// - Parameter value: As it is written in YAML; nil: the key is taken away.
    /// - Returns: What the file held before; nil: it was not there.
    public func set(_ key: String, to value: String?) throws(Fault) -> String? {
        var tree: MarkedYAML?
        if let value {
            do throws(MarkedYAML.Faults) {
                tree = try MarkedYAML.parse(value)
            } catch {
                throw .content(path: path.string, line: 1, key: key, message: error.all.first?.message ?? "not YAML")
            }
            guard let tree, !tree.isNull else {
                throw .content(path: path.string, line: 1, key: key, message: "has no value")
            }
        }
        try makeFolder()
        var before: String?
        try WholeFile(path: path).change { (current) throws(Fault) in
            before = current?.text
            let present: MarkedYAML?
            do throws(MarkedYAML.Faults) {
                present = try MarkedYAML.parse(current?.text ?? "")
            } catch {
                let fault = error.all.first
                throw .content(
                    path: path.string, line: fault?.line ?? 1, key: fault?.key, message: fault?.message ?? "not YAML")
            }
            let new = (present ?? .empty).with(tree, at: SettingsKey(key).parts)
            return WholeFile.Content(text: Self.header + new.document, ownership: try ownership(current))
        }
        return before
    }

    /// Whether the file has the key; false also where it cannot be read.
    public func holds(_ key: String) -> Bool {
        guard let text = try? WholeFile(path: path).read()?.text else { return false }
        var node = try? MarkedYAML.parse(text)
        for part in SettingsKey(key).parts { node = node?.pair(part)?.value }
        return node != nil
    }

    /// Puts back what `set` found.
    public func restore(_ text: String?) throws(Fault) {
        try WholeFile(path: path).change { (current) throws(Fault) in
            WholeFile.Content(text: text ?? Self.header, ownership: try ownership(current))
        }
    }

    private func ownership(_ current: WholeFile.Content?) throws(Fault) -> FileOwnership {
        if let current { return current.ownership }
        return .ofAccounts(beside: try WholeFile(path: settings).read()?.ownership, group: newGroup, mode: newMode)
    }

    /// One that others may not write: they could put a file there.
    private func makeFolder() throws(Fault) {
        try WholeFile(path: path).makeFolder(mode: newMode & 0o040 != 0 ? 0o755 : 0o700)
    }
}
