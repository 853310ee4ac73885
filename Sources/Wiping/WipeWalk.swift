import CLinux
import Checkpoints
import Glibc
package import LinuxSystem

/// One pass through a directory that removes what it meets, or what a filter takes, from the leaves up, without recursion.
///
/// It holds a few descriptors whatever the depth: of a deep path only the last levels stay open, and the way up
/// goes through `..`, which must be the very directory that it came down from. If it is not, another process
/// moved the tree meanwhile, and the walk starts again at the root.
package struct WipeWalk {
    package private(set) var report: WipeReport

    private struct Level {
        let name: EntryName
        let kept: KeptPaths
        let device: dev_t
        let inode: ino_t
        /// Nil while it is parked.
        var stream: DirectoryStream?
        /// What stays in this pass: a level that was parked is read from its beginning again, and must not go down there twice.
        var stuck: Set<EntryName> = []
        /// Something below is kept, so the directory stays.
        var holdsKept = false
        /// The filter takes the directory itself once it is empty.
        var isTaken = true
        /// What was changed to get in and is put back when the directory stays.
        var mode: mode_t?
        var flags: UInt32?
    }

    private let root: DirectoryStream
    private let rootKept: KeptPaths
    private let limit: TimeLimit
    /// Nil: everything goes.
    private let filter: TurnFilter?
    /// What the filter took: in a look this is what there is, otherwise what was tried.
    package private(set) var taken = VisitedPaths()
    private var levels: [Level] = []
    private var restarts = 0

    private static let openLevels = 24

    package init(
        root path: String, stream: DirectoryStream, kept: KeptPaths, limit: TimeLimit, filter: TurnFilter? = nil
    ) {
        report = WipeReport(root: path)
        root = stream
        rootKept = kept
        self.limit = limit
        self.filter = filter
    }

    package mutating func run() {
        enter(root, EntryName(""), rootKept)
        // `leave` opens a parked level before it comes to the top, so the top always has its stream.
        while let stream = levels.last?.stream {
            if limit.isOver {
                report.add(report.root, limit.isCancelled ? "cancelled" : WipeReport.ranOut)
                return
            }
            switch stream.next() {
            case .entry(let name):
                remove(name, in: stream)
            case .end:
                leave(stream)
            case .failed(let error):
                report.add(path(), reason(error))
                leave(stream)
            }
        }
    }

    private mutating func enter(
        _ stream: DirectoryStream, _ name: EntryName, _ kept: KeptPaths, isTaken: Bool = true
    ) {
        var level = Level(name: name, kept: kept, device: stream.device, inode: stream.inode, stream: stream)
        level.isTaken = isTaken
        if stream.mode & 0o700 != 0o700, stream.owner == getuid(), fchmod(stream.descriptor, stream.mode | 0o700) == 0 {
            level.mode = stream.mode
        }
        levels.append(level)
        let parked = levels.count - 1 - Self.openLevels
        if parked > 0 {
            levels[parked].stream = nil
        }
    }

    private mutating func remove(_ name: EntryName, in stream: DirectoryStream) {
        let top = levels.count - 1
        let kept = levels[top].kept[name]
        if kept.isKept {
            levels[top].holdsKept = true
            return
        }
        if levels[top].stuck.contains(name) { return }
        if let filter {
            guard let facts = FileFacts(name, in: stream.descriptor) else { return }
            let isSessions = TurnFilter.belongsToSession(name, facts, at: top, below: top > 0 ? levels[1].name : nil)
            let isTaken = !isSessions && filter.takes(facts)
            if facts.isDirectory {
                descend(name, from: stream, kept, isTaken: isTaken, isForeign: facts.owner != filter.user)
                return
            }
            if !isTaken {
                levels[top].holdsKept = true
                return
            }
            taken.add(place)
            if filter.isLook {
                levels[top].stuck.insert(name)
                return
            }
        }
        var error = stream.remove(name, directory: false)
        if error == EPERM, let status = stream.status(of: name) {
            // An immutable directory answers so too, and so does every name in one.
            if status.st_mode & S_IFMT == S_IFDIR {
                error = EISDIR
            } else if unlock(name, in: stream) {
                error = stream.remove(name, directory: false)
            }
        }
        switch error {
        case 0:
            report.removed += 1
            checkpoint("in the middle of a wipe")
        case ENOENT: break
        case EISDIR: descend(name, from: stream, kept, isTaken: filter == nil)
        default: giveUp(name, error)
        }
    }

    private mutating func descend(
        _ name: EntryName, from stream: DirectoryStream, _ kept: KeptPaths, isTaken: Bool = true,
        isForeign: Bool = false
    ) {
        switch DirectoryStream.open(name, in: stream.descriptor) {
        case .success(let child):
            enter(child, name, kept, isTaken: isTaken)
        case .failure(let failure):
            switch failure.error {
            case ENOENT:
                break
            case EACCES where isForeign:
                // Another user's, and closed to this one.
                levels[levels.count - 1].holdsKept = true
            case ENOTDIR where filter != nil, ELOOP where filter != nil:
                // Swapped after the look: the next pass sees what it is now.
                levels[levels.count - 1].holdsKept = true
            case ENOTDIR, ELOOP:
                // Swapped for something else after the look: that goes by its name.
                let error = stream.remove(name, directory: false)
                if error != 0 && error != ENOENT { giveUp(name, error) }
            default:
                giveUp(name, failure.error)
            }
        }
    }

    /// Ends the top level: removes the directory from its parent unless something in it is kept.
    private mutating func leave(_ stream: DirectoryStream) {
        var level = levels.removeLast()
        let top = levels.count - 1
        if top < 0 {
            restore(level, stream)
            return
        }
        let parent: DirectoryStream
        if let open = levels[top].stream {
            parent = open
        } else {
            guard let found = stream.parent(), found.device == levels[top].device, found.inode == levels[top].inode
            else {
                startAgain()
                return
            }
            levels[top].stream = found
            parent = found
        }
        if level.holdsKept || !level.isTaken {
            levels[top].holdsKept = true
            levels[top].stuck.insert(level.name)
            restore(level, stream)
            return
        }
        if let filter {
            taken.add(place)
            if filter.isLook {
                levels[top].stuck.insert(level.name)
                restore(level, stream)
                return
            }
        }
        var error = parent.remove(level.name, directory: true)
        if error == EPERM {
            let unlockedParent = unlockTop(parent)
            let own = clearFlags(stream.descriptor)
            level.flags = level.flags ?? own
            if unlockedParent || own != nil { error = parent.remove(level.name, directory: true) }
        }
        if error == ENOTDIR, filter == nil { error = parent.remove(level.name, directory: false) }
        switch error {
        case 0: report.removed += 1
        case ENOENT: break
        default:
            restore(level, stream)
            levels[top].stuck.insert(level.name)
            // Not empty: either the reason is in the list already, or a process wrote into it just now.
            if error != ENOTEMPTY && error != EEXIST { report.add(path(level.name), reason(error)) }
        }
    }

    private mutating func startAgain() {
        restarts += 1
        levels.removeAll()
        if restarts > 32 {
            report.add(report.root, "moved about while it was wiped")
            return
        }
        root.rewind()
        enter(root, EntryName(""), rootKept)
    }

    private mutating func giveUp(_ name: EntryName, _ error: CInt) {
        levels[levels.count - 1].stuck.insert(name)
        let locked = error == EPERM ? "immutable, append-only or not permitted" : reason(error)
        report.add(path(name), locked)
    }

    /// Tries to make a file deletable that is immutable or append-only, or lies in such a directory.
    private mutating func unlock(_ name: EntryName, in stream: DirectoryStream) -> Bool {
        let parentUnlocked = unlockTop(stream)
        guard let found = stream.locate(name), let status = found.status(), status.st_mode & S_IFMT == S_IFREG,
            let file = found.reopened(flags: O_RDONLY | O_NONBLOCK), let old = clearFlags(file.raw)
        else { return parentUnlocked }
        if status.st_nlink > 1 {
            // Its other names may lie outside the root: they get their flags back.
            if stream.remove(name, directory: false) == 0 { report.removed += 1 }
            _ = baton_set_flags(file.raw, old)
        }
        return true
    }

    private mutating func unlockTop(_ stream: DirectoryStream) -> Bool {
        guard let old = clearFlags(stream.descriptor) else { return false }
        levels[levels.count - 1].flags = old
        return true
    }

    /// The old flags, when they stood in the way and are cleared now.
    private func clearFlags(_ descriptor: CInt) -> UInt32? {
        var flags: UInt32 = 0
        guard baton_get_flags(descriptor, &flags) == 0, flags & baton_undeletable_flags() != 0,
            baton_set_flags(descriptor, flags & ~baton_undeletable_flags()) == 0
        else { return nil }
        return flags
    }

    private func restore(_ level: Level, _ stream: DirectoryStream) {
        if let mode = level.mode { fchmod(stream.descriptor, mode) }
        if let flags = level.flags { _ = baton_set_flags(stream.descriptor, flags) }
    }

    /// Where something that the filter took lies, by its root and top folder only: names below are the worker's. So is that of
    /// a top folder that the filter takes.
    private var place: String {
        guard levels.count > 1, !levels[1].isTaken else { return report.root }
        return report.root + "/" + levels[1].name.text
    }

    /// For people: the middle of a very deep path is left out.
    private func path(_ name: EntryName? = nil) -> String {
        if filter != nil { return place }
        let below = levels.dropFirst()
        let shown =
            below.count <= 16
            ? below.map(\.name.text) : below.prefix(8).map(\.name.text) + ["..."] + below.suffix(4).map(\.name.text)
        let names = shown + (name.map { [$0.text] } ?? [])
        return ([report.root] + names).joined(separator: "/")
    }
}
