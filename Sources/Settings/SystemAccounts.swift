internal import Glibc

/// What this machine knows of its users and groups.
package enum SystemAccounts {
    /// The user that this process runs as.
    package static var own: UInt32 { geteuid() }

    /// The id of a user by name, or of a number that stands for itself.
    package static func user(_ name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.pw_uid
    }

    package static func group(_ name: String) -> UInt32? {
        if let number = UInt32(name) { return number }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.gr_gid
    }
}
