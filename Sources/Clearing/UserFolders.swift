import Glibc
import LinuxSystem

/// Where this user's programs keep things, as the XDG base directory specification says.
public struct UserFolders: Sendable, Equatable {
    public var home: String
    public var configuration: String
    public var data: String
    public var cache: String

    /// - Parameter environment: XDG folders that are no absolute paths are ignored, as the specification asks.
    public init(home: String, environment: [String: String] = [:]) {
        func folder(_ name: String, _ usual: String) -> String {
            guard let path = environment[name], path.hasPrefix("/") else { return home + "/" + usual }
            return path
        }
        self.home = home
        configuration = folder("XDG_CONFIG_HOME", ".config")
        data = folder("XDG_DATA_HOME", ".local/share")
        cache = folder("XDG_CACHE_HOME", ".cache")
    }

    /// Where downloads go: always the usual folder, and the one that `user-dirs.dirs` names. Workers can write that file.
    public var downloads: [String] {
        let usual = home + "/Downloads"
        guard let text = Self.read(configuration + "/user-dirs.dirs"), let named = Self.downloads(text, home: home),
            named != usual
        else { return [usual] }
        return [usual, named]
    }

    /// The value of `XDG_DOWNLOAD_DIR="$HOME/…"`; the last one counts. Nil when there is none, or it is home itself, which means
    /// that there is no such folder.
    static func downloads(_ text: String, home: String) -> String? {
        var result: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            guard line.hasPrefix("XDG_DOWNLOAD_DIR") else { continue }
            let rest = line.dropFirst("XDG_DOWNLOAD_DIR".count).drop { $0 == " " || $0 == "\t" }
            guard rest.first == "=" else { continue }
            let quoted = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            guard quoted.first == "\"", let value = unquoted(quoted.dropFirst()) else { continue }
            let full = value == "$HOME" || value.hasPrefix("$HOME/") ? home + value.dropFirst(5) : value
            guard full.hasPrefix("/") else { continue }
            let path = resolved(full)
            let isHome = path == resolved(home) || path == "/" || resolved(home).hasPrefix(path + "/")
            result = isHome ? nil : path
        }
        return result
    }

    /// Up to the closing quote; a backslash takes the next character as it is.
    private static func unquoted(_ text: Substring) -> String? {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                return result
            } else {
                result.append(character)
            }
        }
        return nil
    }

    private static func resolved(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// A small regular file; a fifo or a huge one is none.
    private static func read(_ path: String) -> String? {
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard raw >= 0 else { return nil }
        let file = Descriptor(owning: raw)
        guard let status = file.status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(file.raw, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
