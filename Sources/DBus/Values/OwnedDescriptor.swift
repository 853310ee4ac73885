import CDBus
import Glibc

/// A file descriptor that is closed when its last owner lets go; in a message it has the type `h`.
///
/// Sending duplicates it, a received one is ours and close-on-exec.
public final class OwnedDescriptor: Sendable {
    /// Valid as long as this object lives; do not close it.
    public let rawValue: Int32

    /// Takes over `rawValue`, which no other code may close from now on.
    public init(owning rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// A close-on-exec duplicate; nil if `other` is not open or the process has too many descriptors.
    public convenience init?(duplicating other: Int32) {
        let duplicate = fcntl(other, F_DUPFD_CLOEXEC, 3)
        guard duplicate >= 0 else { return nil }
        self.init(owning: duplicate)
    }

    deinit { close(rawValue) }
}

/// Equal only to itself: two descriptors may name the same file and still be two.
extension OwnedDescriptor: Hashable {
    public static func == (left: OwnedDescriptor, right: OwnedDescriptor) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
