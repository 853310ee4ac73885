import Glibc
import Settings
import SystemPackage

/// Which private-use URI schemes have a handler on this machine: desktop files with `MimeType=x-scheme-handler/…`
/// (Desktop Entry Specification), so that a redirect to an app without one is refused before a browser opens.
struct SchemeRegistry: Sendable {
    private let folders: [FilePath]

    /// The system's data folders, and on the session bus the user's own.
    init(scope: Settings.Scope, environment: [String: String]) {
        let system = (environment["XDG_DATA_DIRS"] ?? "").split(separator: ":").map(String.init)
        var folders = system.isEmpty ? ["/usr/local/share", "/usr/share"] : system
        if scope == .session {
            if let own = environment["XDG_DATA_HOME"], !own.isEmpty {
                folders.append(own)
            } else if let home = environment["HOME"] {
                folders.append(home + "/.local/share")
            }
        }
        self.folders = folders.filter { $0.hasPrefix("/") }.map { FilePath($0).appending("applications") }
    }

    func isRegistered(_ scheme: String) -> Bool {
        folders.contains { folder in
            Self.files(in: folder).contains { Self.handles(scheme.lowercased(), folder.appending($0)) }
        }
    }

    private static func files(in folder: FilePath) -> [String] {
        guard let directory = opendir(folder.string) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while names.count < 4096, let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".desktop"), !name.contains("/") { names.append(name) }
        }
        return names
    }

    private static func handles(_ scheme: String, _ file: FilePath) -> Bool {
        guard let text = text(of: file) else { return false }
        var isEntry = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isEntry = line == "[Desktop Entry]"
            } else if isEntry, line.hasPrefix("MimeType") {
                let types = line.drop { $0 != "=" }.dropFirst().split(separator: ";")
                if types.contains(where: { $0.lowercased().filter { $0 != " " } == "x-scheme-handler/\(scheme)" }) {
                    return true
                }
            }
        }
        return false
    }

    private static func text(of file: FilePath) -> String? {
        guard let descriptor = try? FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        defer { try? descriptor.close() }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        guard let count = try? bytes.withUnsafeMutableBytes({ try descriptor.read(into: $0) }) else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
