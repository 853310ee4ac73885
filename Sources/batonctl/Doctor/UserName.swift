import Glibc

/// Users and groups by name and number, as this machine knows them.
enum UserName {
    static func id(of name: String) -> UInt32? {
        var buffer = [CChar](repeating: 0, count: 16384)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.pw_uid
    }

    static func idOfGroup(_ name: String) -> UInt32? {
        var buffer = [CChar](repeating: 0, count: 16384)
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return entry.gr_gid
    }

    /// The number where it has no name.
    static func of(_ id: UInt32) -> String {
        var buffer = [CChar](repeating: 0, count: 16384)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else { return "uid \(id)" }
        return String(cString: name)
    }
}
