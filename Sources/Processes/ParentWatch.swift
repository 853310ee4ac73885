import Glibc
import LinuxSystem

/// Tells when the process that started this one is gone.
///
/// The kernel's own parent-death signal comes when the *thread* that started a child ends, which for a parent
/// with a thread pool may be at any time; a pinned process has no such flaw.
public struct ParentWatch: Sendable {
    private let watch: ProcessWatch

    /// Nil when the parent is gone already or cannot be watched.
    public init?() {
        let parent = getppid()
        // The first process adopts orphans; as a true parent it is the supervisor of a container.
        if parent == 1 && ProcessRecord(pid: 1)?.name != "batond" { return nil }
        self.init(parent: parent)
        if getppid() != parent { return nil }
    }

    package init?(parent: Int32) {
        guard let process = ProcessHandle(pid: parent), let watch = ProcessWatch(), watch.add(process, as: 0)
        else { return nil }
        self.watch = watch
    }

    /// Returns when the parent is gone, or when cancelled.
    public func untilGone() async {
        for await _ in watch.exits { return }
    }
}
