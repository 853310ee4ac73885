import FolderTesting
import Glibc
import Testing

/// The folder in which all other tests work: what they leave in it, it must be able to remove.
@Suite(.timeLimit(.minutes(1)))
struct TemporaryFolderTests {
    private func folder(_ fill: (TemporaryFolder) throws -> Void) throws -> String {
        let folder = try TemporaryFolder("removal")
        try fill(folder)
        #expect(!folder.names.isEmpty)
        return folder.path
    }

    @Test func `is gone with all that is in it, also folders that are closed`() throws {
        let path = try folder { folder in
            try folder.write("text", to: "a/b/c")
            try folder.folder("a/empty")
            try folder.write("text", to: "locked/inner/file")
            try folder.write("text", to: ".0/file")
            mkfifo(folder.path(of: "pipe"), 0o600)
            chmod(folder.path(of: "locked/inner"), 0)
            chmod(folder.path(of: "locked"), 0)
            let raw: [CChar] = folder.path.utf8CString.dropLast() + [0x2F, -1, -2, 0x0A, 0]
            #expect(mkdir(raw, 0o755) == 0)
        }
        #expect(!exists(path))
    }

    @Test func `is gone however deep it is`() throws {
        let path = try folder { folder in
            var descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(descriptor) }
            for _ in 0..<3000 {
                try #require(mkdirat(descriptor, "deep", 0o755) == 0)
                let next = openat(descriptor, "deep", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                close(descriptor)
                descriptor = next
            }
        }
        #expect(!exists(path))
    }

    @Test func `takes neither what a link leads to nor what a hard link shares`() throws {
        let outside = try TemporaryFolder("outside")
        let file = try outside.write("text", to: "inner/file", mode: 0o640)
        let path = try folder { folder in
            try folder.link("file", to: file)
            try folder.link("folder", to: outside.path(of: "inner"))
            try folder.link("nowhere", to: "/nowhere")
            #expect(folder.has("nowhere") && folder.text(of: "nowhere") == nil)
            #expect(link(file, folder.path(of: "hard")) == 0)
        }
        #expect(!exists(path) && outside.text(of: "inner/file") == "text" && outside.mode(of: "inner/file") == 0o640)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount"))
    func `leaves alone what is mounted in it`() throws {
        let (outside, folder) = (try TemporaryFolder("outside"), try TemporaryFolder("removal"))
        try outside.write("text", to: "inner/file")
        let place = try folder.folder("a/mount")
        guard mount(outside.path, place, nil, UInt(MS_BIND), nil) == 0 else {
            print("skipped: nothing can be mounted here: \(String(cString: strerror(errno)))")
            return
        }
        folder.remove()
        #expect(outside.text(of: "inner/file") == "text" && exists(folder.path))
        umount2(place, Int32(MNT_DETACH))
        folder.remove()
        #expect(!exists(folder.path))
    }
}
