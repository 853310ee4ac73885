import CLinux
import Glibc

/// What this kernel has of what Baton uses, each tried and not guessed from a version.
package enum KernelFeatures {
    /// Processes can be pinned, so that no signal reaches another one with the same number.
    package static var hasPidfd: Bool {
        let raw = baton_pidfd_open(getpid())
        if raw >= 0 { close(raw) }
        return raw >= 0
    }

    /// Folders can be opened so that no link or mount leads out of them.
    package static var hasOpenat2: Bool {
        let root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { return false }
        let holder = Descriptor(owning: root)
        let raw = baton_open_beneath(holder.raw, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 1)
        if raw >= 0 { close(raw) }
        return raw >= 0
    }

    /// Secrets can be handed over without a name in any folder.
    package static var hasMemfd: Bool {
        let raw = baton_memfd_create("baton-doctor")
        if raw >= 0 { close(raw) }
        return raw >= 0
    }

    /// Something keeps the wall clock right.
    package static var isClockSynchronised: Bool { baton_clock_is_synchronised() == 1 }

    /// Whole groups of processes can be ended at once.
    package static var hasControlGroups: Bool { access("/sys/fs/cgroup/cgroup.controllers", R_OK) == 0 }
}
