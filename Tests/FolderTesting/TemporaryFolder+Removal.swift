import Glibc

extension TemporaryFolder {
    /// Removes it with all that is in it, before this object goes. Links are not followed, and what is mounted below stays.
    public func remove() {
        defer { rmdir(path) }
        chmod(path, 0o700)
        let root = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard root >= 0 else { return }
        defer { close(root) }
        // A program that still writes into it could go on for ever.
        let end = ContinuousClock.now + .seconds(20)
        var count = 0
        while case let entries = Names.raw(in: root), !entries.isEmpty, ContinuousClock.now < end {
            let before = count
            for entry in entries { count += Self.takeApart(entry, in: root, count) }
            guard count > before else { return }
        }
    }

    /// Removes a file, a link or an empty folder. Of another folder the entries move up beside it, so that a tree of any depth
    /// goes without deep paths and many descriptors; the kernel moves nothing out of a mount.
    ///
    /// - Returns: How many things it has removed or moved.
    private static func takeApart(_ entry: [CChar], in root: Int32, _ number: Int) -> Int {
        if unlinkat(root, entry, 0) == 0 || unlinkat(root, entry, AT_REMOVEDIR) == 0 { return 1 }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var folder = openat(root, entry, flags)
        if folder < 0, errno == EACCES {
            fchmodat(root, entry, 0o700, AT_SYMLINK_NOFOLLOW)
            folder = openat(root, entry, flags)
        }
        guard folder >= 0 else { return 0 }
        defer { close(folder) }
        var moved = 0
        for name in Names.raw(in: folder) {
            let place = ".\(number + moved)"
            if renameat(folder, name, root, place) != 0 {
                guard errno == EACCES else { continue }
                // Both must be writable: what a folder lies in, and a folder that moves.
                fchmod(folder, 0o700)
                fchmodat(folder, name, 0o700, AT_SYMLINK_NOFOLLOW)
                guard renameat(folder, name, root, place) == 0 else { continue }
            }
            moved += 1
        }
        return moved + (unlinkat(root, entry, AT_REMOVEDIR) == 0 ? 1 : 0)
    }
}
