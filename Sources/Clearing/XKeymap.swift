import Display
import Glibc
package import LinuxSystem
package import Processes
package import Vocabulary

/// The keymap of an X server, before a turn and after it. What a client sets of it key by key is less than a keymap is, so xkbcomp(1),
/// which every X server needs, writes it to a file and reads it from there.
package struct XKeymap: SessionKeymap {
    private static let program = "/usr/bin/xkbcomp"
    private static let setter = "/usr/bin/setxkbmap"

    private let display: String
    private let environment: [String: String]
    private let address: XAddress
    private let path: String
    private let names: RuntimeNote
    private let launcher: Launcher

    /// - Parameter folder: The agent's own.
    package init?(environment: [String: String], folder: String, launcher: Launcher) {
        guard let address = XAddress(environment: environment) else { return nil }
        self.address = address
        display = address.display
        self.environment = environment.filter { ["HOME", "XAUTHORITY"].contains($0.key) }
        path = folder + "/keymap.xkb"
        names = RuntimeNote(path: folder + "/keymap.names")
        self.launcher = launcher
    }

    package func remember(limit: TimeLimit) async -> Bool {
        async let asked = XLayoutNames(at: address, limit: limit)
        let isWritten = await run([Self.program, "-w", "0", "-xkb", display, path], limit) == 0
        guard let found = await asked, isWritten else { return false }
        names.write(String(decoding: found.bytes, as: UTF8.self))
        return true
    }

    /// Beside the keys the server keeps what layout it was given, which other programs ask for. A layout that it does not know changes
    /// nothing.
    package func set(_ layout: KeyboardLayout, limit: TimeLimit) async -> String? {
        // The empty variant takes away that of before. The server's options stay.
        let command = [
            Self.setter, "-display", display, "-layout", layout.layout, "-variant", layout.variant,
        ]
        switch await run(command, limit) {
        case 0: return nil
        case nil: return "setxkbmap cannot be run, or took too long"
        case .some: return "the X server does not know it"
        }
    }

    /// Whether it is as before, the server says.
    package func putBack(limit: TimeLimit) async -> Bool {
        guard await run([Self.program, "-w", "0", path, display], limit) == 0 else { return false }
        return await XLayoutNames(bytes: Array((names.read() ?? "").utf8)).write(to: address, limit: limit)
    }

    package var warning: String? {
        let programs: [String] = [Self.setter, Self.program]
        guard let first = programs.first(where: { (path: String) in access(path, X_OK) != 0 }) else { return nil }
        return "workers have the device's own keyboard layout: there is no \(first) (package x11-xkb-utils)"
    }

    /// Nil: it did not run to its end.
    private func run(_ command: [String], _ limit: TimeLimit) async -> Int32? {
        let tool = ToolRun(command, environment: environment)
        guard case .ended(let status, _)? = try? await tool.run(by: launcher, limit: limit) else { return nil }
        return status
    }
}
