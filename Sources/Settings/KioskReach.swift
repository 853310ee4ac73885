import Glibc
import LinuxSystem

/// What the kiosk user could change on this machine: each app of a worker runs as that user.
struct KioskReach {
    let user: UInt32
    private let name: String
    private let group: UInt32?

    /// Nil: this machine has no such user.
    init?(name: String) {
        guard let user = SystemAccounts.user(name) else { return nil }
        self.user = user
        self.name = name
        group = UserAccount(id: user)?.group
    }

    /// Whether the name, or the number, is this user's.
    func isUser(_ other: String) -> Bool { other == name || SystemAccounts.user(other) == user }

    /// Whether the group is the user's own, or names the user among its members.
    func isIn(group id: UInt32) -> Bool {
        id == group || UserGroup(id: id)?.members.contains(name) == true
    }

    /// The first part of the path, or of what it leads to, that the user can write; nil: there is none.
    func writablePart(of path: String) -> String? {
        var paths = [path]
        if let real = realpath(path, nil) {
            paths.append(String(cString: real))
            free(real)
        }
        for path in paths {
            var part = ""
            for component in path.split(separator: "/") {
                part += "/" + component
                if canWrite(part) { return part }
            }
        }
        return nil
    }

    private func canWrite(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return false }
        // Who owns it can make it writable.
        if status.st_uid == user { return true }
        // In a folder with the sticky bit only an entry's owner can replace it.
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        guard !isSticky else { return false }
        if status.st_mode & S_IWOTH != 0 { return true }
        return status.st_mode & S_IWGRP != 0 && isIn(group: status.st_gid)
    }
}
