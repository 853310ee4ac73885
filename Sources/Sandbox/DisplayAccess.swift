import Glibc

/// Where display and sound are to be found: outside, and as a program with these folders is told.
struct DisplayAccess {
    /// Outside and inside.
    var sockets: [(outside: String, inside: String)] = []
    var environment: [String: String] = [:]
    static let devices = ["/dev/dri", "/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-modeset", "/dev/nvidia-uvm"]

    /// - Parameter runtime: The runtime folder inside; nil: everything stays where it is.
    init(_ surroundings: Surroundings, runtime: String?) {
        let outer = surroundings.environment
        func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
        if let display = outer["DISPLAY"] {
            environment["DISPLAY"] = display
            if let number = Self.localNumber(display) {
                let socket = "/tmp/.X11-unix/X\(number)"
                if exists(socket) { sockets.append((socket, socket)) }
            }
            let cookie = outer["XAUTHORITY"] ?? surroundings.home + "/.Xauthority"
            if cookie.hasPrefix("/"), exists(cookie) {
                let inside = runtime.map { $0 + "/Xauthority" } ?? cookie
                sockets.append((cookie, inside))
                environment["XAUTHORITY"] = inside
            }
        }
        if let name = outer["WAYLAND_DISPLAY"], let socket = Self.waylandSocket(surroundings) {
            if exists(socket), let last = name.split(separator: "/").last {
                let inside = runtime.map { $0 + "/" + last } ?? socket
                sockets.append((socket, inside))
                environment["WAYLAND_DISPLAY"] = inside
            }
        }
        let sound = surroundings.runtime + "/pulse/native"
        if exists(sound) {
            let inside = runtime.map { $0 + "/pulse/native" } ?? sound
            sockets.append((sound, inside))
            environment["PULSE_SERVER"] = "unix:" + inside
        }
    }

    /// Where the compositor listens; nil: the session has none.
    static func waylandSocket(_ surroundings: Surroundings) -> String? {
        surroundings.environment["WAYLAND_DISPLAY"].flatMap { name in
            name.isEmpty ? nil : name.hasPrefix("/") ? name : surroundings.runtime + "/" + name
        }
    }

    /// 7 of `:7`, `:7.0` and `unix:7`.
    private static func localNumber(_ display: String) -> Int? {
        let parts = display.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].isEmpty || parts[0] == "unix" else { return nil }
        return parts[1].split(separator: ".").first.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}
