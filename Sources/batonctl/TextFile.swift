import Glibc
import LinuxSystem
import SystemPackage

/// Small text files, read and written whole.
enum TextFile {
    static let longest = 1 << 20

    struct Unusable: Error, CustomStringConvertible {
        var description: String { "not a text file of at most 1 MiB" }
    }

    /// The entries of a folder; none when there is no folder.
    static func names(in folder: FilePath) throws(Errno) -> [String] {
        do throws(FolderNames.Unreadable) {
            return try FolderNames.all(in: folder.string)
        } catch {
            throw Errno(rawValue: error.number)
        }
    }

    /// Nil when there is none.
    static func read(_ path: FilePath) throws -> String? {
        let file: FileDescriptor
        do {
            // Without O_NONBLOCK a pipe in the file's place would be waited for.
            file = try .open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch Errno.noSuchFileOrDirectory {
            return nil
        }
        return try file.closeAfter {
            guard FileFacts(descriptor: file.rawValue)?.isRegular == true else { throw Unusable() }
            var bytes: [UInt8] = []
            while bytes.count <= longest {
                let part = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                    count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                if part.isEmpty { break }
                bytes += part
            }
            guard bytes.count <= longest, let text = String(validating: bytes, as: UTF8.self) else { throw Unusable() }
            return text
        }
    }

    /// The file is whole or as it was before, and every user may read it.
    static func write(_ text: String, to path: FilePath) throws(Errno) {
        var template = Array("\(path.string).XXXXXX".utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let file = FileDescriptor(rawValue: number)
        do {
            try file.closeAfter {
                try file.writeAll(text.utf8)
                guard fchmod(number, 0o644) == 0 else { throw Errno(rawValue: errno) }
            }
            guard path.withPlatformString({ rename(template, $0) }) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            unlink(template)
            throw error as? Errno ?? .ioError
        }
    }

    static func remove(_ path: FilePath) throws(Errno) {
        guard path.withPlatformString({ unlink($0) }) == 0 else { throw Errno(rawValue: errno) }
    }

    static func makeFolders(_ path: FilePath) throws(Errno) {
        var folder = FilePath(path.isAbsolute ? "/" : ".")
        for component in path.components {
            folder.append(component)
            guard folder.withPlatformString({ mkdir($0, 0o755) }) == 0 || errno == EEXIST else {
                throw Errno(rawValue: errno)
            }
        }
    }
}
