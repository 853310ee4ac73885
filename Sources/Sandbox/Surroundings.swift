import Glibc
import LinuxSystem
public import Vocabulary

/// What the sandboxes of this session have in common: the user, the folders, the buses, and the programs that make them.
public struct Surroundings: Sendable {
    public var home: String
    public var user: String
    /// XDG_RUNTIME_DIR.
    public var runtime: String
    /// The agent's own folder; nil: it is below `runtime`.
    var notes: String?
    /// The agent's own, of which a sandbox gets display and language.
    public var environment: [String: String]
    /// The buses on which a program may be let talk: `unix:path=/run/user/1000/bus`. Name only the one where Baton is; on the
    /// other one another process could own its name.
    public var sessionBus: String?
    public var systemBus: String?
    public var bubblewrap = "/usr/bin/bwrap"
    public var busProxy = "/usr/bin/xdg-dbus-proxy"
    /// A cgroup2 folder in which this user may make groups; nil: the agent's own group, if it may.
    public var controlGroup: String?
    /// baton-agent, which is also the reaper of a tree.
    public var reaper: String?
    /// Stronger ways are not tried.
    public var strongest = Proof.namespace

    public init(home: String, user: String, runtime: String, environment: [String: String]) {
        self.home = home
        self.user = user
        self.runtime = runtime
        self.environment = environment
    }

    /// Those of this process.
    public init() {
        var environment: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        let account = UserAccount(id: getuid())
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // As a unit, which may run before the user's session, the agent has a folder of its own.
        let own = absolute("RUNTIME_DIRECTORY")
        self.init(
            home: absolute("HOME") ?? account?.home ?? "/",
            user: account?.name ?? environment["USER"] ?? "\(getuid())",
            runtime: absolute("XDG_RUNTIME_DIR") ?? own ?? "/run/user/\(getuid())",
            environment: environment)
        // The other one is open to every program of that user.
        if let own { notes = own }
        // Another program would not know the role.
        reaper = realPath("/proc/self/exe").flatMap { $0.hasSuffix("/baton-agent") ? $0 : nil }
    }

    /// Where the agent keeps its notes and the proxies' sockets.
    package var folder: String { (notes ?? runtime) + "/baton-agent" }

    /// Language and display; the addresses of display and sound come with the view.
    var passedOn: [String: String] {
        environment.filter { name, _ in
            name.hasPrefix("LC_")
                || ["LANG", "LANGUAGE", "TZ", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"].contains(name)
        }
    }

    /// The environment of a program whose files lie below `home`, and nothing of the agent's but language and display.
    func base(home: String, runtime: String, temporary: String) -> [String: String] {
        passedOn.merging(
            [
                "HOME": home, "USER": user, "LOGNAME": user, "SHELL": "/bin/sh", "TMPDIR": temporary,
                "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games", "XDG_RUNTIME_DIR": runtime,
                "XDG_CONFIG_HOME": home + "/.config", "XDG_CACHE_HOME": home + "/.cache",
                "XDG_DATA_HOME": home + "/.local/share", "XDG_STATE_HOME": home + "/.local/state",
                // Else libraries start a bus of their own.
                "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DBUS_SYSTEM_BUS_ADDRESS": "disabled:",
            ]) { $1 }
    }
}

/// The path without links, or nil when it leads nowhere.
package func realPath(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
}

/// Whether a path is a folder or lies below it.
func lies(_ path: String, in folder: String) -> Bool {
    path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
}
