import CLinux
import FolderTesting
import Glibc
import LinuxSystem
import Testing
import Wiping

private let limit = Duration.seconds(30)
private let isRoot = getuid() == 0

@Suite(.timeLimit(.minutes(3)))
struct `Wiping a directory` {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder("wiping")
        root = try folder.folder("root")
    }

    private func wipe(keep: [String] = [], homes: [String] = []) -> WipeReport {
        Wipe(root: root, keep: keep, homes: homes).perform(limit: TimeLimit(limit))
    }

    private func clean(_ cleaner: Cleaner, keep: [String] = []) -> Cleaner.Result {
        cleaner.clean(root, keep: keep, TimeLimit(limit))
    }

    @Test func `of directories in each other the outer one is wiped, and what it keeps for itself`() {
        func roots(_ wipes: (String, [String])...) -> [String] {
            Wipe.outermost(wipes.map { Wipe(root: $0.0, keep: $0.1, homes: []) }).map(\.root)
        }
        #expect(roots(("/a/b", []), ("/a", []), ("/a/b/c", []), ("/ab", [])) == ["/a", "/ab"])
        #expect(roots(("/a", []), ("/a", [])) == ["/a"])
        // What is kept by the outer one is not emptied by it.
        #expect(roots(("/a", ["/a/b"]), ("/a/b/c", [])) == ["/a", "/a/b/c"])
        #expect(roots(("/a", ["b"]), ("/a/b/c", [])) == ["/a", "/a/b/c"])
    }

    @Test(arguments: Cleaner.allCases) func `everything below goes and the directory stays`(cleaner: Cleaner) throws {
        try folder.file("root/a/b/c")
        try folder.file("root/.hidden")
        // No directory's own two names.
        for name in ["...", "..a", ".a"] { try folder.file("root/" + name) }
        try folder.folder("root/empty/empty")
        let report = clean(cleaner)
        #expect(report.isEmpty && report.explanation == nil && report.removed == 9)
        #expect(exists(root) && names(in: root).isEmpty)
    }

    @Test func `a directory that does not exist needs no wiping`() {
        #expect(Wipe(root: root + "/none").perform(limit: TimeLimit(limit)).isEmpty)
        #expect(Wipe(root: root + "/none/deeper").perform(limit: TimeLimit(limit)).isEmpty)
    }

    @Test(arguments: Cleaner.allCases) func `symbolic links are removed and not followed`(cleaner: Cleaner) throws {
        let outside = try folder.file("outside/canary")
        try folder.link("root/file", to: outside)
        try folder.link("root/folder", to: folder.path + "/outside")
        try folder.link("root/up", to: "..")
        try folder.link("root/dangling", to: "/nowhere/at/all")
        #expect(clean(cleaner).isEmpty)
        #expect(contents(outside) == "text" && names(in: root).isEmpty)
    }

    @Test(arguments: Cleaner.allCases) func `a hard link loses its name here and keeps its data elsewhere`(
        cleaner: Cleaner
    ) throws {
        let outside = try folder.file("outside/canary")
        #expect(link(outside, root + "/hard") == 0)
        #expect(clean(cleaner).isEmpty)
        #expect(contents(outside) == "text")
    }

    @Test(arguments: Cleaner.allCases) func `fifos and sockets are removed without being opened`(cleaner: Cleaner)
        throws
    {
        #expect(mkfifo(root + "/fifo", 0o600) == 0)
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (root + "/socket").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0 && names(in: root) == ["fifo", "socket"])
        #expect(clean(cleaner).isEmpty)
    }

    @Test(.enabled(if: isRoot, "only root can make device nodes"), arguments: Cleaner.allCases)
    func `a device node is removed without being opened`(cleaner: Cleaner) throws {
        // A number that no driver has: opening it would fail.
        try #require(mknod(root + "/device", S_IFCHR | 0o600, 0xFE00) == 0)
        #expect(clean(cleaner).isEmpty)
    }

    @Test(arguments: Cleaner.allCases) func `folders without any permission are opened up and wiped`(cleaner: Cleaner)
        throws
    {
        try folder.file("root/locked/inner/file")
        chmod(root + "/locked/inner", 0)
        chmod(root + "/locked", 0)
        #expect(clean(cleaner).isEmpty)
    }

    @Test(arguments: Cleaner.allCases) func `what is to be kept stays with the folders above it`(cleaner: Cleaner)
        throws
    {
        try folder.file("root/a/keep/inner")
        try folder.file("root/a/go")
        try folder.file("root/settings.ini")
        try folder.file("root/b/settings.ini")
        let report = clean(cleaner, keep: ["a/keep", root + "/settings.ini", "not/there"])
        #expect(report.isEmpty)
        #expect(names(in: root) == ["a", "settings.ini"] && names(in: root + "/a") == ["keep"])
        #expect(names(in: root + "/a/keep") == ["inner"])
    }

    @Test(arguments: Cleaner.allCases) func `what is to be kept stays however deep it lies`(cleaner: Cleaner) throws {
        let deep = (0..<80).map { _ in "d" }.joined(separator: "/")
        try folder.file("root/\(deep)/keep")
        try folder.file("root/\(deep)/go")
        #expect(clean(cleaner, keep: [deep + "/keep"]).isEmpty)
        #expect(names(in: root + "/" + deep) == ["keep"])
    }

    @Test(arguments: Cleaner.allCases) func `a link in place of a folder that holds something to keep is removed`(
        cleaner: Cleaner
    ) throws {
        let outside = try folder.file("outside/keep/canary")
        try folder.link("root/a", to: folder.path + "/outside")
        #expect(clean(cleaner, keep: ["a/keep"]).isEmpty)
        #expect(names(in: root).isEmpty && exists(outside))
    }

    @Test(arguments: ["..", "a/../../outside", "/elsewhere", ".", "", "/"])
    func `a path to keep that is not below the root refuses the wipe`(keep: String) throws {
        let file = try folder.file("root/file")
        #expect(!wipe(keep: [keep]).isEmpty)
        #expect(exists(file))
    }

    @Test(arguments: Cleaner.allCases) func `names of any bytes are removed and cannot forge a line of a report`(
        cleaner: Cleaner
    ) throws {
        try folder.file("root/new\nline")
        let raw: [CChar] = root.utf8CString.dropLast() + [0x2F, -1, -2, 0x0A, 0]
        #expect(mkdir(raw, 0o755) == 0)
        #expect(clean(cleaner).isEmpty)
    }

    @Test(arguments: Cleaner.allCases) func `a tree of 100,000 levels goes within the limit of descriptors`(
        cleaner: Cleaner
    ) throws {
        // In memory where that is to be had: a disk takes half a minute to make such a tree.
        let memory = try? TemporaryFolder("wiping", in: "/dev/shm")
        let root = try (memory ?? folder).folder("root")
        let levels = memory == nil ? 20_000 : 100_000
        var descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for _ in 0..<levels {
            try #require(mkdirat(descriptor, "d", 0o755) == 0)
            let next = openat(descriptor, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            close(descriptor)
            descriptor = next
        }
        close(descriptor)
        let report = cleaner.clean(root, TimeLimit(.seconds(100)))
        #expect(report.isEmpty && report.removed == levels)
    }

    @Test(arguments: Cleaner.allCases) func `many files and folders beside each other go`(cleaner: Cleaner) throws {
        for number in 0..<3000 {
            try folder.file("root/file \(number)")
            try folder.file("root/folder \(number % 300)/\(number)")
        }
        #expect(clean(cleaner).isEmpty)
    }

    @Test(arguments: ["/", "relative", "", "/tmp/..", "/tmp/./", "//"])
    func `roots that are no plain absolute paths are refused`(root: String) {
        let report = Wipe(root: root).perform(limit: TimeLimit(.zero))
        #expect(report.problems.map(\.reason).allSatisfy { $0.hasPrefix("not a") } && !report.isEmpty)
    }

    @Test(arguments: Cleaner.allCases) func `a file of a tebibyte goes as fast as a small one`(cleaner: Cleaner) throws
    {
        let file = try folder.file("root/large")
        try #require(truncate(file, 1 << 40) == 0)
        #expect(clean(cleaner).isEmpty)
    }

    @Test func `a root that is a link or a file is refused`() throws {
        let canary = try folder.file("outside/canary")
        try folder.link("link", to: folder.path + "/outside")
        for root in [folder.path + "/link", folder.path + "/link/", canary] {
            #expect(!Wipe(root: root).perform(limit: TimeLimit(limit)).isEmpty)
        }
        #expect(exists(canary))
    }

    @Test func `a home folder and what lies above it are refused`() throws {
        let file = try folder.file("root/home/file")
        #expect(wipe(homes: [root + "/home"]).explanation == "\(root): a home folder or above one")
        #expect(wipe(homes: [root]).isEmpty == false)
        #expect(exists(file))
        // Without time, so that a fault here costs nobody their home.
        for home in Wipe.homesOfThisUser where exists(home) {
            #expect(!Wipe(root: home).perform(limit: TimeLimit(.zero)).isEmpty)
            #expect(Wipe(root: home).perform(limit: TimeLimit(.zero)).problems.map(\.reason) != ["timed out"])
        }
    }

    @Test(.enabled(if: isRoot, "only root can give a folder away"))
    func `a root of another user is refused`() throws {
        let file = try folder.file("root/file")
        chown(root, 65534, 65534)
        #expect(wipe().explanation == "\(root): belongs to another user")
        #expect(exists(file))
    }

    @Test func `a wipe without time is not contained`() throws {
        try folder.file("root/file")
        let report = Wipe(root: root).perform(limit: TimeLimit(.zero))
        #expect(!report.isEmpty && report.explanation == "\(root): timed out")
    }

    @Test func `cancelling ends a wipe`() async throws {
        try folder.file("root/file")
        let limit = TimeLimit(limit)
        limit.cancel()
        #expect(await Wipe(root: root).run(limit: limit).isEmpty == false)
        #expect(await Wipe(root: root).run(limit: TimeLimit(.seconds(30))).isEmpty)
    }

    @Test(
        .enabled(if: ImmutableFiles.work, "immutable files need root and a file system that has them"),
        arguments: Cleaner.allCases)
    func `immutable and append-only things are unlocked and wiped, and a hard link outside stays locked`(
        cleaner: Cleaner
    ) throws {
        let outside = try folder.file("outside/canary")
        #expect(link(outside, root + "/hard") == 0)
        try folder.file("root/locked/file")
        for (path, flags) in [(outside, UInt32(0x10)), (root + "/locked/file", 0x20), (root + "/locked", 0x10)] {
            #expect(ImmutableFiles.set(path, flags))
        }
        #expect(clean(cleaner).isEmpty)
        #expect(unlink(outside) != 0 && errno == EPERM)
        #expect(ImmutableFiles.set(outside, 0))
    }
}

/// Whether this machine lets the tests lock files.
private enum ImmutableFiles {
    static let work: Bool = {
        guard let folder = try? TemporaryFolder("wiping"), let file = try? folder.file("probe") else { return false }
        return set(file, 0x10) && set(file, 0)
    }()

    static func set(_ path: String, _ flags: UInt32) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var old: UInt32 = 0
        return baton_get_flags(descriptor, &old) == 0 && baton_set_flags(descriptor, old & ~0x30 | flags) == 0
    }
}
