/// Judges the directories that an app's file wants wiped: a slip there must not cost more than that app's data.
package enum DataDirectory {
    /// Nothing in these is an app's data, however deep.
    private static let forbidden = [
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sbin", "/sys", "/usr",
        "/var/lib/baton", "/var/lib/dpkg", "/var/lib/systemd", "/var/lib/dbus",
    ]

    /// These hold the data of many; what lies below them can be an app's.
    private static let shared: Set<String> = [
        "/home", "/media", "/mnt", "/opt", "/root", "/run", "/run/user", "/srv", "/tmp", "/var", "/var/cache",
        "/var/lib", "/var/local", "/var/log", "/var/opt", "/var/spool", "/var/tmp",
    ]

    /// The same within a home.
    private static let sharedInHome: Set<String> = [
        "", ".config", ".local", ".local/bin", ".local/lib", ".local/share", ".local/state", ".ssh", ".gnupg",
    ]

    private static let forbiddenInHome = [".config/baton", ".config/systemd", ".local/state/baton"]

    /// Why this is not a usable path at all; nil when it is.
    static func refusal(_ path: String) -> String? {
        let inHome = path.hasPrefix("~/")
        guard path.hasPrefix("/") || inHome else { return "must be absolute or begin with ~/" }
        guard path.utf8.count <= 4095, path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
            return "is too long or has control characters"
        }
        let parts = components(path)
        if parts.contains("..") || parts.contains(".") { return "must not contain . or .." }
        if parts.contains("") { return "must not contain // or end with /" }
        if path.contains(where: { "*?[]$".contains($0) }) { return "must name one directory, without * ? [ ] or $" }
        return nil
    }

    /// Why this must not be wiped; nil when it may be.
    static func refusalToWipe(_ path: String) -> String? {
        if let refusal = refusal(path) { return refusal }
        let parts = components(path)
        if path.hasPrefix("~/") { return refusalInHome(parts) }
        if forbidden.contains(where: { lies(path, in: $0) }) { return "belongs to the system" }
        if shared.contains(path) { return "holds more than one app's data" }
        switch (parts.first, parts.dropFirst().first) {
        case ("home", _): return refusalInHome(Array(parts.dropFirst(2)))
        case ("root", _): return refusalInHome(Array(parts.dropFirst()))
        case ("run", "user") where parts.count <= 3: return "holds more than one app's data"
        default: break
        }
        return parts.count >= 2 ? nil : "lies directly below /"
    }

    /// What each sign-out looks for files in, beside the home.
    private static let searched = ["/tmp", "/var/tmp", "/dev/shm", "/home", "/root"]

    /// Why the search for a turn's files must not leave this out; nil when it may.
    static func refusalToKeep(_ path: String) -> String? {
        if let refusal = refusal(path) { return refusal }
        let parts = components(path)
        let isHome = path.hasPrefix("/home/") && parts.count == 2
        if isHome || searched.contains(where: { lies($0, in: path) }) {
            return "would hide a whole home or shared folder from sign-out; name a path below it"
        }
        return nil
    }

    /// Why a sandbox must not show this of a home; nil when it may.
    static func refusalToShow(_ path: String) -> String? {
        if let refusal = refusal(path) { return refusal }
        let inHome = components(path).joined(separator: "/")
        // There lie the settings and the journal, and what the session starts.
        let isForbidden = forbiddenInHome.contains { lies(inHome, in: $0) || lies($0, in: inHome) }
        return isForbidden ? "holds files of the system" : nil
    }

    private static func refusalInHome(_ parts: [String]) -> String? {
        let path = parts.joined(separator: "/")
        if path.isEmpty { return "is a whole home" }
        if sharedInHome.contains(path) { return "holds more than one app's data" }
        if forbiddenInHome.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) {
            return "belongs to the system"
        }
        return nil
    }

    /// Whether the path is the directory or lies below it.
    package static func lies(_ path: String, in directory: String) -> Bool {
        path == directory || path.hasPrefix(directory + "/")
    }

    private static func components(_ path: String) -> [String] {
        let rest = path.hasPrefix("~/") ? path.dropFirst(2) : path.dropFirst()
        return rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}
