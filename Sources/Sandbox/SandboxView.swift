import Glibc

/// What a program in bubblewrap sees: everything read-only, and in place of what belongs to the session empty folders in
/// memory, into which little is shown.
///
/// A bus on an abstract socket can be reached by every process of the same network: a file name cannot hide it.
struct SandboxView {
    /// bubblewrap's arguments.
    let arguments: [String]
    let environment: [String: String]

    private static let options = [
        "--unshare-pid", "--die-with-parent", "--unshare-ipc", "--unshare-cgroup-try", "--new-session", "--cap-drop",
        "ALL",
    ]

    /// - Parameter buses: The sockets of the proxies.
    init(_ program: ConfinedProgram, _ surroundings: Surroundings, buses: BusProxy.Sockets) {
        let runtime = surroundings.runtime
        // A user without a home still needs a folder to write to.
        let isHomeless = realPath(surroundings.home) == nil || surroundings.home == "/"
        let home = isHomeless ? "/tmp/home" : surroundings.home
        var masks = ["/tmp": "1777", "/var/tmp": "1777", "/run": "0755", "/dev/shm": "1777"]
        for own in [home, runtime] { masks[realPath(own) ?? own] = "0700" }
        // A socket of root's system services or another user's runtime folder lies below /run; resolving names needs one.
        var words = Self.options + ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
        if !program.sharesNetwork { words.append("--unshare-net") }
        let depth = { (path: String) in path.split(separator: "/").count }
        for (path, mode) in masks.sorted(by: { (depth($0.key), $0.key) < (depth($1.key), $1.key) }) {
            words += ["--perms", mode, "--tmpfs", path]
        }
        for bus in surroundings.realSockets where !masks.keys.contains(where: { lies(bus, in: $0) }) {
            words += ["--ro-bind", "/dev/null", bus]
        }
        var environment = surroundings.base(home: home, runtime: runtime, temporary: "/tmp")
        if program.sharesNetwork, let names = realPath("/etc/resolv.conf"), lies(names, in: "/run") {
            let folder = "/" + names.split(separator: "/").dropLast().joined(separator: "/")
            let shown = folder == "/run" ? names : folder
            words += ["--ro-bind", shown, shown]
        }
        if program.seesDisplay {
            let display = DisplayAccess(surroundings, runtime: runtime)
            for device in DisplayAccess.devices { words += ["--dev-bind-try", device, device] }
            for (outside, inside) in display.sockets { words += ["--ro-bind", outside, inside] }
            environment.merge(display.environment) { $1 }
        }
        if let socket = buses.session {
            words += ["--ro-bind", socket, runtime + "/bus"]
            environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(runtime)/bus"
        }
        if let socket = buses.system {
            words += ["--ro-bind", socket, SystemBus.path]
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = SystemBus.address
        }
        words += program.shares.flatMap(\.binding)
        arguments = words + ["--chdir", home]
        self.environment = environment.merging(program.environment) { $1 }
    }
}

extension Surroundings {
    /// The sockets of the buses that no program in a sandbox may reach.
    var realSockets: Set<String> {
        let addresses = [
            sessionBus, systemBus, environment["DBUS_SESSION_BUS_ADDRESS"], environment["DBUS_SYSTEM_BUS_ADDRESS"],
        ]
        var result: Set<String> = []
        for address in addresses.compactMap(\.self).flatMap({ $0.split(separator: ";") }) {
            for part in address.split(separator: ",") {
                let word = part.hasPrefix("unix:") ? part.dropFirst(5) : part
                if word.hasPrefix("path="), let path = realPath(String(word.dropFirst(5))) { result.insert(path) }
            }
        }
        return result
    }
}
