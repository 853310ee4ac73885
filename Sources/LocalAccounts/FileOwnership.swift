import CLinux
import Glibc

/// Whose a file is and who may read it.
struct FileOwnership {
    /// Nil: of the user who writes it.
    var user: UInt32?
    var group: UInt32?
    var mode: UInt32

    init(user: UInt32? = nil, group: UInt32? = nil, mode: UInt32) {
        self.user = user
        self.group = group
        self.mode = mode
    }

    init(_ status: stat) {
        self.init(user: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777)
    }

    /// Of an accounts file that is not there yet, so that the batond that reads the settings can read it and others cannot.
    ///
    /// - Parameters:
    ///   - settings: Of the settings file beside it; nil: there is none.
    ///   - group: Of batond, if the settings do not say.
    ///   - mode: If that of the settings lets too many read.
    static func ofAccounts(beside settings: FileOwnership?, group: UInt32?, mode: UInt32) -> FileOwnership {
        guard let settings else { return FileOwnership(group: group, mode: mode) }
        let isForHashes = settings.mode & 0o137 == 0 && settings.mode & 0o600 == 0o600
        let mode = isForHashes ? settings.mode : mode
        // Where the group may read nothing, it does not matter, and perhaps this user may not give the file to it.
        guard mode & 0o070 != 0 else { return FileOwnership(user: settings.user, mode: mode) }
        let isForGroup = isForHashes && settings.group != 0
        return FileOwnership(
            user: settings.user, group: isForGroup ? settings.group : group ?? settings.group, mode: mode)
    }

    /// The error number when that is not allowed: without the right to give it to its owner the file must not change hands.
    func give(to descriptor: Int32) -> Int32? {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { return errno }
        let (user, group) = (user ?? own.st_uid, group ?? own.st_gid)
        if own.st_uid != user || own.st_gid != group {
            guard fchown(descriptor, user, group) == 0 else { return errno }
        }
        return fchmod(descriptor, mode) == 0 ? nil : errno
    }
}
