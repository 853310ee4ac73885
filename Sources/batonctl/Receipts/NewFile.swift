import Glibc
import SystemPackage

/// A file that only its owner may read, and that is whole or not there.
enum NewFile {
    static func write<Value>(
        to path: FilePath, _ body: (FileDescriptor) async throws -> Value
    ) async throws -> Value {
        // A device, a pipe or a link is written to; nothing takes its place.
        var status = stat()
        if path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG {
            let file = try FileDescriptor.open(path, .writeOnly, options: [.closeOnExec, .truncate])
            defer { try? file.close() }
            return try await body(file)
        }
        var template = Array("\(path.string).XXXXXX".utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let file = FileDescriptor(rawValue: number)
        do {
            let value = try await body(file)
            guard fsync(number) == 0 else { throw Errno(rawValue: errno) }
            guard path.withPlatformString({ rename(template, $0) }) == 0 else { throw Errno(rawValue: errno) }
            try file.close()
            return value
        } catch {
            try? file.close()
            unlink(template)
            throw error
        }
    }
}
