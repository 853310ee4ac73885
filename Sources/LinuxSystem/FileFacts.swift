import CLinux
package import Glibc

/// What is known of a name in a directory, without opening or following it.
package struct FileFacts {
    private let facts: baton_file_facts

    /// Nil when there is no such name.
    package init?(_ name: EntryName, in directory: CInt) {
        var facts = baton_file_facts()
        guard baton_get_facts(directory, name.bytes, &facts) == 0 else { return nil }
        self.facts = facts
    }

    /// Nil when the last name of the path is not there.
    package init?(path: String) {
        self.init(EntryName(path), in: AT_FDCWD)
    }

    /// Of an open file.
    package init?(descriptor: CInt) {
        self.init(EntryName(""), in: descriptor)
    }

    /// The permission bits.
    package var permissions: mode_t { mode_t(truncatingIfNeeded: facts.mode) & 0o7777 }
    package var owner: uid_t { facts.owner }
    package var size: UInt64 { facts.size }
    package var isDirectory: Bool { facts.mode & S_IFMT == S_IFDIR }
    package var isSocket: Bool { facts.mode & S_IFMT == S_IFSOCK }
    package var isRegular: Bool { facts.mode & S_IFMT == S_IFREG }

    /// Made, or changed in content, name, rights or number of links. Programs can set neither time.
    package func isMadeOrChanged(since start: Int64) -> Bool {
        facts.changed >= start || isMade(since: start)
    }

    /// False as well where the file system does not know.
    package func isMade(since start: Int64) -> Bool {
        facts.born >= start
    }
}
