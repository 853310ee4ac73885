import ClearingTesting
import FolderTesting
import Glibc
import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Wiping around mounts` {
    /// A child in a mount namespace of its own, if this machine lets us make one.
    private static func namespace(_ script: String) -> ScriptProcess? {
        guard
            let child = try? ScriptProcess(
                "exec unshare -m sh -c 'mount --make-rprivate / && \(script) && echo ready; exec sleep 1000'"),
            child.line() == "ready"
        else { return nil }
        return child
    }

    private static let mountsWork = namespace("true") != nil

    @Test(.enabled(if: mountsWork, "mount namespaces are not permitted here"), arguments: Cleaner.allCases)
    func `a mount below the root is not entered and is reported`(cleaner: Cleaner) throws {
        let folder = try TemporaryFolder("wiping")
        let canary = try folder.file("outside/canary")
        try folder.folder("root/a/mount")
        try folder.file("root/bound")
        try folder.file("root/gone")
        let root = folder.path + "/root"
        let child = try #require(
            Self.namespace(
                "mount --bind \(folder.path)/outside \(root)/a/mount && mount --bind \(canary) \(root)/bound"))
        let seen = "/proc/\(child.pid)/root\(root)"
        let report = cleaner.clean(seen, TimeLimit(.seconds(60)))
        #expect(!report.isEmpty && report.reasons.contains("another mount, not entered"))
        #expect(contents(canary) == "text" && !exists(root + "/gone"))
    }

    @Test(.enabled(if: mountsWork, "mount namespaces are not permitted here"), arguments: Cleaner.allCases)
    func `a full disk is emptied`(cleaner: Cleaner) throws {
        let folder = try TemporaryFolder("wiping")
        let root = try folder.folder("disk/root")
        let disk = folder.path + "/disk"
        let child = try #require(
            Self.namespace(
                "mount -t tmpfs -o size=256k,nr_inodes=64 none \(disk) && mkdir -p \(root)/a/b"
                    + " && { head -c 1M /dev/zero > \(root)/a/b/file; while mkdir \(root)/$((n=n+1)); do :; done; } 2> /dev/null"
                    + "; ! touch \(root)/more 2> /dev/null"))
        let seen = "/proc/\(child.pid)/root\(root)"
        #expect(names(in: seen).count > 10)
        #expect(cleaner.clean(seen, TimeLimit(.seconds(60))).isEmpty)
        #expect(names(in: seen).isEmpty)
    }

    @Test(.enabled(if: mountsWork, "mount namespaces are not permitted here"), arguments: Cleaner.allCases)
    func `what a read-only file system holds is reported`(cleaner: Cleaner) throws {
        let folder = try TemporaryFolder("wiping")
        let canary = try folder.file("root/a/file")
        let root = folder.path + "/root"
        let child = try #require(
            Self.namespace("mount --bind \(root) \(root) && mount -o remount,bind,ro \(root)"))
        let report = cleaner.clean("/proc/\(child.pid)/root\(root)", TimeLimit(.seconds(60)))
        #expect(!report.isEmpty && report.reasons.contains("read-only file system"))
        #expect(exists(canary))
    }
}
