import Agent
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Wiping around mounts` {
    /// A child in a mount namespace of its own, if this machine lets us make one.
    private static func namespace(_ script: String) -> Child? {
        guard
            let child = try? Child(
                "exec unshare -m sh -c 'mount --make-rprivate / && \(script) && echo ready; exec sleep 1000'"),
            child.line() == "ready"
        else { return nil }
        return child
    }

    private static let mountsWork = namespace("true") != nil

    @Test(.enabled(if: mountsWork, "mount namespaces are not permitted here"))
    func `a mount below the root is not entered and is reported`() throws {
        let folder = try TemporaryFolder()
        let canary = try folder.file("outside/canary")
        try folder.folder("root/a/mount")
        try folder.file("root/bound")
        try folder.file("root/gone")
        let root = folder.path + "/root"
        let child = try #require(
            Self.namespace(
                "mount --bind \(folder.path)/outside \(root)/a/mount && mount --bind \(canary) \(root)/bound"))
        let seen = "/proc/\(child.pid)/root\(root)"
        let report = Wipe(root: seen).perform(limit: TimeLimit(.seconds(60)))
        #expect(!report.isEmpty)
        #expect(report.problems == [.init(path: seen + "/a/mount", reason: "another mount, not entered")])
        #expect(text(of: canary) == "text" && !exists(root + "/gone"))
    }
}
