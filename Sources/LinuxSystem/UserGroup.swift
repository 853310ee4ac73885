import Glibc

/// A group of users of this machine.
package struct UserGroup: Sendable, Equatable {
    package let id: UInt32
    /// The names of the users that the group lists; those whose primary group it is may be missing.
    package let members: [String]

    /// Nil if this machine has no such group. Blocks: a directory service may have to answer.
    package init?(named name: String) {
        self.init { getgrnam_r(name, $0, $1, $2, $3) }
    }

    package init?(id: UInt32) {
        self.init { getgrgid_r(id, $0, $1, $2, $3) }
    }

    private init?(
        _ find: (
            UnsafeMutablePointer<Glibc.group>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<Glibc.group>?>
        ) -> CInt
    ) {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        guard find(&entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        id = entry.gr_gid
        var members: [String] = []
        var next = entry.gr_mem
        while let member = next?.pointee {
            members.append(String(cString: member))
            next = next?.advanced(by: 1)
        }
        self.members = members
    }
}
