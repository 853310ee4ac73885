/// A key of the settings, written as messages name it: `barrier.soft` is `soft` in the section `barrier`.
package struct SettingsKey: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The key of this section.
    package subscript(_ leaf: String) -> SettingsKey { SettingsKey("\(name).\(leaf)") }

    package var parts: [String] { name.split(separator: ".").map(String.init) }

    /// The key without its section, for messages that name several keys of one.
    package var leaf: String { parts.last ?? name }

    package var description: String { name }
}
