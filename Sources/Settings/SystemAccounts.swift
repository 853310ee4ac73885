import Glibc
import LinuxSystem

/// What this machine knows of its users and groups.
package enum SystemAccounts {
    /// The user that this process runs as.
    package static var own: UInt32 { geteuid() }

    /// The id of a user by name, or of a number that stands for itself.
    package static func user(_ name: String) -> UInt32? {
        UInt32(name) ?? UserAccount(named: name)?.id
    }

    package static func group(_ name: String) -> UInt32? {
        UInt32(name) ?? UserGroup(named: name)?.id
    }
}
