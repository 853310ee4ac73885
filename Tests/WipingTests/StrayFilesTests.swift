import Clearing
import FolderTesting
import Glibc
import LinuxSystem
import Testing
import Vocabulary

private let limit = Duration.seconds(30)

/// Waits until the clock that stamps files is past what a turn's start allows for, then starts a turn. The clock announces
/// nothing, so it is asked.
private func nextTurn() -> TurnStart {
    let begin = TurnStart().wall
    while TurnStart().wall < begin + 60_000_000 { sched_yield() }
    return TurnStart()
}

@Suite(.timeLimit(.minutes(2)))
struct `Stray files of a turn` {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder("wiping")
        root = try folder.folder("root")
    }

    private func files(_ turn: TurnStart, keep: [String] = []) -> StrayFiles {
        StrayFiles(roots: [root, root + "/none"], keep: keep, home: root, turn: turn)
    }

    @Test func `what the turn made or changed goes, and what was there stays`() async throws {
        try folder.file("root/old/settings")
        try folder.file("root/old/changed")
        try folder.folder("root/old/empty")
        let turn = nextTurn()
        try folder.write("other", to: "root/old/changed")
        try folder.file("root/old/new")
        try folder.file("root/new/deep/file")
        try folder.link("root/old/link", to: "/etc/passwd")
        let report = await files(turn).end(limit: TimeLimit(limit))
        #expect(report.isClean && report.removed == 6 && report.count == 6)
        #expect(names(in: root) == ["old"] && names(in: root + "/old") == ["empty", "settings"])
    }

    @Test func `looking changes nothing and counts the same`() async throws {
        try folder.file("root/old/settings")
        let turn = nextTurn()
        try folder.file("root/old/new")
        try folder.file("root/new/file")
        let before = await files(turn).look(limit: TimeLimit(limit))
        #expect(!before.isClean && before.remaining == 3 && before.removed == 0)
        #expect(exists(root + "/old/new") && exists(root + "/new/file"))
        _ = await files(turn).end(limit: TimeLimit(limit))
        #expect(await files(turn).look(limit: TimeLimit(limit)).isClean)
    }

    @Test func `a deep old tree is searched once, and what is new in it is counted once`() async throws {
        let deep = (0..<80).map { _ in "d" }.joined(separator: "/")
        try folder.file("root/\(deep)/old")
        try folder.file("root/d/d/old")
        let turn = nextTurn()
        try folder.file("root/\(deep)/new")
        try folder.file("root/d/d/new")
        let look = await files(turn).look(limit: TimeLimit(limit))
        #expect(look.problems.isEmpty && look.count == 2)
        let end = await files(turn).end(limit: TimeLimit(limit))
        #expect(end.isClean && end.removed == 2 && exists(root + "/\(deep)/old"))
    }

    @Test func `a report names no folder that the turn made and nothing below a top folder`() async throws {
        try folder.file("root/Documents/2025/a")
        let turn = nextTurn()
        try folder.file("root/Documents/2025/Letter to Ana")
        try folder.file("root/Secret/plan")
        try folder.file("root/loose")
        let report = await files(turn).look(limit: TimeLimit(limit))
        #expect(report.places == [.init(root, 3), .init(root + "/Documents", 1)])
    }

    @Test func `rights, links and names that the turn changed count as changed`() async throws {
        for name in ["mode", "linked", "moved", "old"] { try folder.file("root/a/" + name) }
        try folder.folder("root/b")
        let turn = nextTurn()
        chmod(root + "/a/mode", 0o755)
        link(root + "/a/linked", root + "/b/second")
        rename(root + "/a/moved", root + "/b/moved")
        let old = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        try folder.file("root/b/backdated")
        utimensat(AT_FDCWD, root + "/b/backdated", old, 0)
        #expect(await files(turn).end(limit: TimeLimit(limit)).isClean)
        #expect(names(in: root + "/a") == ["old"] && names(in: root + "/b").isEmpty)
    }

    @Test func `what is kept stays with all below it, by absolute path and below home`() async throws {
        let turn = nextTurn()
        try folder.file("root/.config/baton/page")
        try folder.file("root/.config/other")
        try folder.file("root/Work/file")
        try folder.file("root/.Xauthority")
        let report = await files(turn, keep: ["~/Work", "/nowhere", root + "/.config/none/"]).end(
            limit: TimeLimit(limit))
        #expect(report.isClean)
        #expect(names(in: root) == [".Xauthority", ".config", "Work"] && names(in: root + "/.config") == ["baton"])
    }

    @Test(arguments: ["~", "/", "above"]) func `a root below something kept is left alone`(keep: String) async throws {
        let turn = nextTurn()
        let file = try folder.file("root/file")
        #expect(await files(turn, keep: [keep == "above" ? folder.path : keep]).end(limit: TimeLimit(limit)).isClean)
        #expect(exists(file))
    }

    @Test(arguments: ["~/../x", "relative", ""])
    func `a path to keep that is not plain removes nothing and is reported`(keep: String) async throws {
        let turn = nextTurn()
        let file = try folder.file("root/file")
        #expect(await files(turn, keep: [keep]).end(limit: TimeLimit(limit)).isClean == false)
        #expect(exists(file))
    }

    @Test func `the display's locks and sockets stay, and nothing that passes for them`() async throws {
        let turn = nextTurn()
        try folder.write("      1234\n", to: "root/.X7-lock")
        try folder.write("a secret that is longer than a process id", to: "root/.X8-lock")
        try folder.write("      1234\n", to: "root/.Xa-lock")
        try folder.file("root/.X11-unix/notes")
        try folder.write("      1234\n", to: "root/other/.X9-lock")
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (root + "/.X11-unix/X7").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        #expect(await files(turn).end(limit: TimeLimit(limit)).isClean)
        #expect(names(in: root) == [".X11-unix", ".X7-lock"] && names(in: root + "/.X11-unix") == ["X7"])
    }

    @Test(.enabled(if: getuid() == 0, "only root can give files away"))
    func `what belongs to others is left alone, and their folders are searched`() async throws {
        let turn = nextTurn()
        try folder.file("root/theirs/file")
        try folder.file("root/theirs/mine")
        chown(root + "/theirs", 65534, 65534)
        chown(root + "/theirs/file", 65534, 65534)
        #expect(await files(turn).end(limit: TimeLimit(limit)).isClean)
        #expect(names(in: root + "/theirs") == ["file"])
    }

    @Test func `an old folder that is closed is searched and closed again`() async throws {
        try folder.folder("root/closed")
        chmod(root + "/closed", 0)
        let turn = nextTurn()
        chmod(root + "/closed", 0o700)
        try folder.file("root/closed/file")
        chmod(root + "/closed", 0)
        #expect(await files(turn).end(limit: TimeLimit(limit)).removed == 1)
        var status = stat()
        #expect(lstat(root + "/closed", &status) == 0 && status.st_mode & 0o777 == 0)
        chmod(root + "/closed", 0o700)
        #expect(names(in: root + "/closed").isEmpty)
    }

    @Test func `roots that are links, missing or below each other are refused, skipped and walked once`() async throws {
        let turn = nextTurn()
        let canary = try folder.file("outside/canary")
        try folder.link("link", to: folder.path + "/outside")
        let refused = StrayFiles(roots: [folder.path + "/link"], home: "/nonexistent", turn: turn)
        #expect(await refused.end(limit: TimeLimit(limit)).explanation == "\(folder.path)/link: not a real directory")
        #expect(exists(canary))
        try folder.file("root/a/file")
        let twice = StrayFiles(roots: [root + "/a/", root + "//", root], home: "/nonexistent", turn: turn)
        #expect(await twice.look(limit: TimeLimit(limit)).count == 2)
    }

    @Test func `without time nothing is called clean`() async throws {
        #expect(await files(nextTurn()).end(limit: TimeLimit(.zero)).isClean == false)
    }

    @Test func `a session's own paths are read from its environment`() {
        let paths = StrayFiles.sessionPaths([
            "XDG_RUNTIME_DIR": "/run/user/1000", "XAUTHORITY": "relative",
            "DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/tmp/x;unix:path=/tmp/dbus-1,guid=2",
        ])
        #expect(paths == ["/run/user/1000", "/tmp/dbus-1"])
    }
}

@Suite(.timeLimit(.minutes(1)))
struct `Files that a worker leaves in a home` {
    private let folder: TemporaryFolder
    private let folders: UserFolders

    init() throws {
        folder = try TemporaryFolder("wiping")
        folders = UserFolders(home: folder.path)
    }

    @Test func `downloads of the turn go, from the usual folder and the named one`() async throws {
        try folder.file("Downloads/old")
        try folder.write("XDG_DOWNLOAD_DIR=\"$HOME/Prejeto\"\n", to: ".config/user-dirs.dirs")
        let turn = nextTurn()
        try folder.file("Downloads/statement.pdf")
        try folder.file("Prejeto/sub/statement.pdf")
        let report = await DownloadsHolder(folders: folders).clear(turn, limit: TimeLimit(limit))
        #expect(report.outcome == .clean && report.explanation == "3 removed")
        #expect(names(in: folder.path + "/Downloads") == ["old"] && !exists(folder.path + "/Prejeto/sub"))
    }

    @Test func `downloads that cannot be searched have failed`() async throws {
        try folder.folder("elsewhere")
        try folder.link("Downloads", to: folder.path + "/elsewhere")
        let report = await DownloadsHolder(folders: folders).clear(nextTurn(), limit: TimeLimit(limit))
        #expect(report.outcome == .failed && report.explanation.hasSuffix("not a real directory"))
    }

    @Test(arguments: [
        ("XDG_DOWNLOAD_DIR=\"$HOME/a b\"", ["Downloads", "a b"]),
        ("  XDG_DOWNLOAD_DIR = \"$HOME/x\\\"y\\$z\"", ["Downloads", "x\"y$z"]),
        ("#XDG_DOWNLOAD_DIR=\"$HOME/no\"", ["Downloads"]), ("XDG_DOWNLOAD_DIR=\"$HOME/\"", ["Downloads"]),
        ("XDG_DOWNLOAD_DIR=\"$HOME/..\"", ["Downloads"]), ("XDG_DOWNLOAD_DIR=\"/\"", ["Downloads"]),
        ("XDG_DOWNLOAD_DIR=$HOME/x", ["Downloads"]), ("XDG_DOWNLOAD_DIR=\"$HOME/x", ["Downloads"]),
        ("XDG_DOWNLOAD_DIR=\"relative\"", ["Downloads"]), ("XDG_DOWNLOAD_DIR=\"$(rm -rf x)\"", ["Downloads"]),
        ("XDG_DOWNLOAD_DIR=\"$HOME/a/../b/./c\"", ["Downloads", "b/c"]),
        ("XDG_DOWNLOAD_DIRECTORY=\"$HOME/a\"", ["Downloads"]),
        ("XDG_DOWNLOAD_DIR=\"$HOME/Downloads\"", ["Downloads"]), ("", ["Downloads"]),
        ("XDG_DOWNLOAD_DIR=\"$HOME/a\"\nXDG_DOWNLOAD_DIR=\"$HOME/b\"", ["Downloads", "b"]),
    ]) func `the download folder is read without a shell`(text: String, expected: [String]) throws {
        try folder.write(text, to: ".config/user-dirs.dirs")
        #expect(folders.downloads == expected.map { folder.path + "/" + $0 })
    }

    @Test func `a list of recent files goes when the turn changed it, and else stays`() async throws {
        let list = try folder.file(".local/share/recently-used.xbel")
        let turn = nextTurn()
        let holder = RecentFilesHolder(folders: folders)
        #expect(await holder.clear(turn, limit: TimeLimit(limit)).outcome == .clean)
        #expect(exists(list))
        try folder.write("statement.pdf", to: ".local/share/recently-used.xbel")
        try folder.file(".recently-used")
        try folder.file(".local/share/RecentDocuments/statement.desktop")
        #expect(await holder.clear(turn, limit: TimeLimit(limit)).outcome == .clean)
        #expect(!exists(list) && !exists(folder.path + "/.recently-used"))
        #expect(names(in: folder.path + "/.local/share/RecentDocuments").isEmpty)
    }

    @Test func `thumbnails of the turn go`() async throws {
        try folder.file(".cache/thumbnails/normal/old.png")
        let turn = nextTurn()
        try folder.file(".cache/thumbnails/normal/new.png")
        try folder.file(".cache/thumbnails/large/new.png")
        #expect(await ThumbnailsHolder(folders: folders).clear(turn, limit: TimeLimit(limit)).outcome == .clean)
        #expect(names(in: folder.path + "/.cache/thumbnails") == ["normal"])
        #expect(names(in: folder.path + "/.cache/thumbnails/normal") == ["old.png"])
    }
}
