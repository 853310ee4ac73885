import FolderTesting
import Glibc

#if canImport(Testing)
public import Testing
#endif

/// What this machine, or the container around it, lets tests do: tried once, and not guessed from who they run as.
public enum Permitted {
    /// bubblewrap can make a sandbox's namespaces.
    public static let namespaces: Bool = {
        let trial = try? ChildProcess([
            "bwrap", "--unshare-pid", "--unshare-ipc", "--dev-bind", "/", "/", "--proc", "/proc", "--", "true",
        ])
        return trial?.waitForEnd().status == 0
    }()

    /// File systems can be mounted, which a container's root may not.
    public static let mounts: Bool = {
        guard let folder = try? TemporaryFolder("mount") else { return false }
        guard mount("none", folder.path, "tmpfs", 0, nil) == 0 else { return false }
        return umount2(folder.path, Int32(MNT_DETACH)) == 0
    }()
}

// The benchmark is linked statically, and Testing comes as a dynamic library only.
#if canImport(Testing)
extension Trait where Self == ConditionTrait {
    /// Skips, with the reason, where bubblewrap can make no namespaces.
    public static var needsNamespaces: Self {
        .enabled(if: Permitted.namespaces, "bubblewrap can make no namespaces here")
    }

    /// Skips, with the reason, where nothing can be mounted.
    public static var needsMounts: Self {
        .enabled(if: Permitted.mounts, "nothing can be mounted here: that needs root with CAP_SYS_ADMIN")
    }
}
#endif
