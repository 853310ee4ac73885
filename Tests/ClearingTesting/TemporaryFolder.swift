import Glibc
import LinuxSystem
import Wiping

/// A folder for one test, removed with it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init(in parent: String = "/tmp") throws {
        var template = Array("\(parent)/baton-agent-XXXXXX".utf8CString)
        guard let name = mkdtemp(&template) else { throw Failure(what: "mkdtemp") }
        path = String(cString: name)
    }

    deinit {
        _ = Wipe(root: path).perform(limit: TimeLimit(.seconds(20)))
        rmdir(path)
    }

    public struct Failure: Error {
        var what: String
        var error = errno
    }

    /// Makes a folder below, with those above it.
    @discardableResult
    public func folder(_ name: String) throws -> String {
        var partial = path
        for component in name.split(separator: "/") {
            partial += "/" + component
            if mkdir(partial, 0o755) != 0 && errno != EEXIST { throw Failure(what: partial) }
        }
        return partial
    }

    /// Makes a file below, with the folders above it.
    @discardableResult
    public func file(_ name: String, _ text: String = "text") throws -> String {
        let components = name.split(separator: "/")
        try folder(components.dropLast().joined(separator: "/"))
        let full = path + "/" + name
        let descriptor = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw Failure(what: full) }
        defer { close(descriptor) }
        if write(descriptor, text, text.utf8.count) != text.utf8.count { throw Failure(what: full) }
        return full
    }

    public func link(_ name: String, to target: String) throws {
        if symlink(target, path + "/" + name) != 0 { throw Failure(what: name) }
    }
}

public func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}

public func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
}

public func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var result: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { result.append(name) }
    }
    return result.sorted()
}
