package import LinuxSystem

/// The paths below a root that a wipe spares, as a tree of names.
package struct KeptPaths: Sendable {
    /// This very path is kept, with everything below it.
    package private(set) var isKept = false
    private var children: [EntryName: KeptPaths] = [:]

    /// Nothing here and nothing below is kept.
    package var isEmpty: Bool {
        !isKept && children.isEmpty
    }

    package init() {}

    /// Nil when a path is not below the root: it may be relative to it or absolute.
    package init?(_ paths: [String], below root: String) {
        for path in paths {
            var components = path.split(separator: "/").filter { $0 != "." }
            if path.hasPrefix("/") {
                let prefix = root.split(separator: "/")
                guard components.starts(with: prefix) else { return nil }
                components.removeFirst(prefix.count)
            }
            guard !components.isEmpty, !components.contains(".."), !path.utf8.contains(0) else { return nil }
            insert(components[...])
        }
    }

    package subscript(name: EntryName) -> KeptPaths {
        children[name] ?? KeptPaths()
    }

    private mutating func insert(_ components: ArraySlice<Substring>) {
        guard let first = components.first else {
            isKept = true
            return
        }
        children[EntryName(first), default: KeptPaths()].insert(components.dropFirst())
    }
}
