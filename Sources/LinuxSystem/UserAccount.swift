import Glibc

/// A user account of this machine.
package struct UserAccount: Sendable, Equatable {
    package let name: String
    package let id: UInt32
    /// Its primary group.
    package let group: UInt32
    package let home: String?

    /// Nil if this machine has no such user. Blocks: a directory service may have to answer.
    package init?(named name: String) {
        self.init { getpwnam_r(name, $0, $1, $2, $3) }
    }

    package init?(id: UInt32) {
        self.init { getpwuid_r(id, $0, $1, $2, $3) }
    }

    private init?(
        _ find: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> CInt
    ) {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        guard find(&entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name else {
            return nil
        }
        self.name = String(cString: name)
        id = entry.pw_uid
        group = entry.pw_gid
        home = entry.pw_dir.map { String(cString: $0) }
    }
}
