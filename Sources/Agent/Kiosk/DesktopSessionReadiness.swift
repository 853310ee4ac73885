import Clearing
import Display
import Glibc
import LinuxSystem

/// Whether what the environment names of the session is there: runtime folder, session bus, display.
///
/// When a terminal starts, the agent may be there first; and what it does not find when it starts, it does without for good.
struct DesktopSessionReadiness: Sendable {
    let environment: [String: String]

    /// What is not there, in words.
    func missing() async -> Set<String> {
        var missing: Set<String> = []
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), !Self.isFolder(folder) {
            missing.insert(folder)
        }
        if let socket = StrayFiles.sockets(environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").first,
            Descriptor.connected(to: socket) == nil
        {
            missing.insert(socket)
        }
        if let wayland = WaylandAddress(environment: environment) {
            if Descriptor.connected(to: wayland.path) == nil { missing.insert(wayland.path) }
        } else if let x11 = XAddress(environment: environment) {
            let answers = await OwnThread.run(limit: TimeLimit(.seconds(2))) { XConnection(x11) != nil }
            if answers != true { missing.insert("the X server \(x11.display)") }
        }
        return missing
    }

    /// Waits until all of it is there, and no longer than that.
    ///
    /// - Returns: What is still missing.
    func wait(atMost limit: Duration) async -> Set<String> {
        let limit = TimeLimit(limit)
        var missing = await missing()
        while !missing.isEmpty, !limit.isOver, !Task.isCancelled {
            try? await OwnTasks.sleep(for: .milliseconds(200))
            missing = await self.missing()
        }
        return missing
    }

    /// Returns when another agent would find more than this one: something that was missing has come while no worker holds
    /// the device, or the screen is lost, with which the whole session has gone.
    func untilOutdated(_ absent: Set<String>, _ kiosk: Kiosk) async {
        while (try? await OwnTasks.sleep(for: .seconds(2))) != nil {
            if kiosk.parts.screen?.isLost == true { return }
            guard !absent.isEmpty, await kiosk.turn == nil else { continue }
            if await !absent.isSubset(of: missing()) { return }
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
