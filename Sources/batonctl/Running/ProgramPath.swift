import Glibc
import LinuxSystem

/// Where a command's program is, as a shell would find it.
enum ProgramPath {
    /// An absolute path; nil when there is no such program.
    static func find(_ name: String) -> String? {
        if name.contains("/") { return isProgram(name) ? AbsolutePath.of(name) : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first(where: isProgram).map(AbsolutePath.of)
    }

    /// A program of Baton's own: beside this one, else in PATH.
    static func beside(_ name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        if count > 0 {
            let own = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let path = own.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } + "/" + name
            if isProgram(path) { return path }
        }
        return find(name)
    }

    private static func isProgram(_ path: String) -> Bool {
        guard access(path, X_OK) == 0, let target = realpath(path, nil) else { return false }
        defer { free(target) }
        return FileFacts(path: String(cString: target))?.isRegular ?? false
    }
}

/// Paths as the user typed them, from the root on. Links stay links.
enum AbsolutePath {
    static func of(_ path: String) -> String {
        var whole = path
        if !path.hasPrefix("/"), let folder = getcwd(nil, 0) {
            whole = String(cString: folder) + "/" + path
            free(folder)
        }
        return whole.split(separator: "/").filter { $0 != "." }.reduce(into: "") { $0 += "/" + $1 }
    }
}
