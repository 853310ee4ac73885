import Glibc

/// A folder for a test, with the small files that the test puts into it. It is removed with all that is in it when this
/// object goes, and so also when the test fails.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter name: What it is for. The folder is called `baton-`, this and six letters, so that what a killed test
    ///   leaves tells which test made it.
    public init(_ name: String, in parent: String = "/tmp") throws {
        var template = Array("\(parent)/baton-\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FolderError("a folder", in: parent, errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    public func path(of name: String) -> String { "\(path)/\(name)" }

    // MARK: What it holds

    /// Sorted.
    public var names: [String] { FolderTesting.names(in: path) }

    /// All of a file; nil when it cannot be read.
    public func text(of name: String) -> String? { contents(path(of: name)) }

    public func bytes(of name: String) -> [UInt8]? { FolderTesting.bytes(in: path(of: name)) }

    /// Whether there is something of that name, also a link that leads nowhere.
    public func has(_ name: String) -> Bool { exists(path(of: name)) }

    /// The permissions of what has that name, a link's own; 0 when there is nothing.
    public func mode(of name: String) -> UInt32 {
        var status = stat()
        return lstat(path(of: name), &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    // MARK: What a test puts into it

    /// Makes a folder below, with those above it, and gives its path.
    @discardableResult
    public func folder(_ name: String, mode: UInt32 = 0o755) throws -> String {
        var partial = path
        for component in name.split(separator: "/") {
            partial += "/" + component
            if mkdir(partial, mode) != 0, errno != EEXIST { throw FolderError(name, in: path, errno) }
        }
        return partial
    }

    /// Makes a file below, with the folders above it, or replaces what the file holds; gives its path.
    ///
    /// - Parameter mode: Exactly this; nil: a new file's are what the umask leaves, and another's stay.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String, mode: UInt32? = nil) throws -> String {
        try folder(name.split(separator: "/").dropLast().joined(separator: "/"))
        let place = path(of: name)
        let file = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode ?? 0o666)
        guard file >= 0 else { throw FolderError(name, in: path, errno) }
        defer { close(file) }
        if let mode, fchmod(file, mode) != 0 { throw FolderError(name, in: path, errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw FolderError(name, in: path, errno) }
            rest = rest.dropFirst(count)
        }
        return place
    }

    @discardableResult
    public func write(_ text: String, to name: String, mode: UInt32? = nil) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    public func link(_ name: String, to target: String) throws {
        guard symlink(target, path(of: name)) == 0 else { throw FolderError(name, in: path, errno) }
    }
}

public struct FolderError: Error, CustomStringConvertible {
    public let description: String

    init(_ name: String, in folder: String, _ reason: Int32) {
        description = "cannot make \(name) in \(folder): \(String(cString: strerror(reason)))"
    }
}
