import CLinux
import Glibc
import LocalAccounts
import Secrets
import Testing

@Suite(.timeLimit(.minutes(1))) struct PINDescriptorTests {
    /// A pipe that is closed when the test ends.
    final class Pipe {
        let reading: Int32
        private(set) var writing: Int32

        init(flags: Int32 = O_CLOEXEC) throws {
            var ends: [Int32] = [-1, -1]
            try #require(baton_pipe(&ends, flags) == 0)
            reading = ends[0]
            writing = ends[1]
        }

        func write(_ text: String) {
            let bytes = Array(text.utf8)
            #expect(Glibc.write(writing, bytes, bytes.count) == bytes.count)
        }

        func closeWriting() {
            if writing >= 0 { close(writing) }
            writing = -1
        }

        deinit {
            close(reading)
            if writing >= 0 { close(writing) }
        }
    }

    func text(_ secret: Secret) -> String {
        secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("4711", "4711"), ("4711\n", "4711"), ("4711\n\n", "4711\n"), ("", ""), ("\n", ""), ("47 11", "47 11"),
    ]) func `a pipe gives its bytes without one newline at the end`(written: String, read: String) async throws {
        let pipe = try Pipe()
        pipe.write(written)
        pipe.closeWriting()
        #expect(text(try await PINDescriptor.read(pipe.reading)) == read)
    }

    @Test func `bytes that come one by one are read to the end`() async throws {
        let pipe = try Pipe()
        let reading = pipe.reading
        async let pin = PINDescriptor.read(reading, patience: 30_000)
        for digit in ["4", "7", "1", "1"] {
            pipe.write(digit)
            await Task.yield()
        }
        pipe.closeWriting()
        #expect(text(try await pin) == "4711")
    }

    @Test(arguments: [256, 257, 4096]) func `at most 256 bytes are taken`(count: Int) async throws {
        let pipe = try Pipe()
        pipe.write(String(repeating: "7", count: count))
        pipe.closeWriting()
        if count <= 256 {
            #expect(try await PINDescriptor.read(pipe.reading).count == count)
        } else {
            await #expect(throws: PINDescriptor.Fault.tooLong) { try await PINDescriptor.read(pipe.reading) }
        }
    }

    @Test(arguments: ["", "4711", "4711\n"]) func `a pipe that stays open is given up`(written: String) async throws {
        let pipe = try Pipe()
        pipe.write(written)
        await #expect(throws: PINDescriptor.Fault.timedOut) {
            try await PINDescriptor.read(pipe.reading, patience: 20)
        }
    }

    @Test func `a sealed memory file carries the PIN, wherever its offset stands`() async throws {
        let file = try PINDescriptor.sealed(secret("4711"))
        defer { close(file) }
        for offset in [0, 2, 4, 1000] {
            lseek(file, off_t(offset), SEEK_SET)
            #expect(text(try await PINDescriptor.read(file)) == "4711")
        }
    }

    @Test func `what was sealed cannot be changed`() throws {
        let file = try PINDescriptor.sealed(secret("4711"))
        defer { close(file) }
        #expect(pwrite(file, "0", 1, 0) == -1)
        #expect(ftruncate(file, 0) == -1)
        #expect(ftruncate(file, 100) == -1)
        #expect(baton_add_seals(file, 0x10) == -1)
        #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test(arguments: [0x0, 0x1, 0x8, 0x8 | 0x4, 0x8 | 0x2, 0x4 | 0x2, 0x10 | 0x4 | 0x2] as [Int32])
    func `a memory file with a seal missing is refused`(seals: Int32) async throws {
        let file = baton_memfd_create("test")
        defer { close(file) }
        #expect(write(file, "4711", 4) == 4)
        try #require(baton_add_seals(file, seals) == 0)
        await #expect(throws: PINDescriptor.Fault.unsuitable) { try await PINDescriptor.read(file) }
    }

    @Test func `a sealed file that is too long is refused`() async throws {
        let file = try PINDescriptor.sealed(secret(String(repeating: "7", count: 257)))
        defer { close(file) }
        await #expect(throws: PINDescriptor.Fault.tooLong) { try await PINDescriptor.read(file) }
    }

    @Test(arguments: ["/dev/null", "/dev/zero", "/proc/self/status", "/etc/passwd", "/"])
    func `anything else is refused`(path: String) async throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        await #expect(throws: PINDescriptor.Fault.unsuitable) { try await PINDescriptor.read(file) }
    }

    @Test func `a socket and a pipe's writing end are refused`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { ends.forEach { close($0) } }
        await #expect(throws: PINDescriptor.Fault.unsuitable) { try await PINDescriptor.read(ends[0]) }
        let pipe = try Pipe()
        await #expect(throws: PINDescriptor.Fault.unsuitable) { try await PINDescriptor.read(pipe.writing) }
    }

    @Test func `a closed descriptor is an error of the system`() async throws {
        await #expect(throws: PINDescriptor.Fault.system(EBADF)) { try await PINDescriptor.read(-1) }
    }

    @Test func `many readers at once do not hold the shared threads`() async throws {
        let pipes = try (0..<16).map { _ in try Pipe() }
        let reading = pipes.map(\.reading)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for descriptor in reading {
                group.addTask { try await PINDescriptor.read(descriptor, patience: 30_000).count }
            }
            // With the pool's threads blocked, this could not run before the readers gave up.
            await Task.detached {}.value
            for pipe in pipes {
                pipe.write("4711")
                pipe.closeWriting()
            }
            for try await count in group { #expect(count == 4) }
        }
    }
}
