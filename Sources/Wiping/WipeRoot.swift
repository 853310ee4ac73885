import Glibc
package import LinuxSystem

/// The directory at which a walk begins, opened so that it can be nothing else.
package enum WipeRoot {
    case open(DirectoryStream)
    case missing
    case refused(String)

    package static func open(_ root: String) -> WipeRoot {
        let components = root.split(separator: "/")
        guard root.hasPrefix("/"), !root.utf8.contains(0), let last = components.last else {
            return .refused("not an absolute path below /")
        }
        if components.contains("..") || last == "." { return .refused("not a plain path") }
        // The way to the root is the administrator's and may have links; the root itself must be real.
        let parent = Glibc.open("/" + components.dropLast().joined(separator: "/"), O_DIRECTORY | O_CLOEXEC | O_RDONLY)
        if parent < 0 { return errno == ENOENT ? .missing : .refused(reason(errno)) }
        let holder = Descriptor(owning: parent)
        switch DirectoryStream.open(EntryName(last), in: holder.raw, acrossMounts: true) {
        case .success(let stream): return .open(stream)
        case .failure(let failure):
            switch failure.error {
            case ENOENT: return .missing
            case ENOTDIR, ELOOP: return .refused("not a real directory")
            default: return .refused(reason(failure.error))
            }
        }
    }
}
