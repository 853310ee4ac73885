package import LinuxSystem
package import Processes

/// The keymap of an X server, before a turn and after it. What a client sets of it key by key is less than a keymap is, so xkbcomp(1),
/// which every X server needs, writes it to a file and reads it from there.
package struct XKeymap: Sendable {
    private static let program = "/usr/bin/xkbcomp"

    private let display: String
    private let environment: [String: String]
    private let path: String
    private let launcher: Launcher

    /// - Parameter folder: The agent's own.
    package init?(environment: [String: String], folder: String, launcher: Launcher) {
        guard let display = environment["DISPLAY"], !display.isEmpty else { return nil }
        self.display = display
        self.environment = environment.filter { ["HOME", "XAUTHORITY"].contains($0.key) }
        path = folder + "/keymap.xkb"
        self.launcher = launcher
    }

    package func remember(limit: TimeLimit) async { await run(["-xkb", display, path], limit) }

    /// Whether it is as before, the server says.
    package func putBack(limit: TimeLimit) async { await run([path, display], limit) }

    private func run(_ arguments: [String], _ limit: TimeLimit) async {
        let tool = ToolRun([Self.program, "-w", "0"] + arguments, environment: environment)
        _ = try? await tool.run(by: launcher, limit: limit)
    }
}
