public import BusTesting
import FolderTesting
import FoundationEssentials
import Glibc
import LinuxSystem

/// A Wayland compositor without a screen, in a runtime folder of its own.
public final class HeadlessCompositor: Sendable {
    /// WAYLAND_DISPLAY and XDG_RUNTIME_DIR; DISPLAY when it has XWayland.
    public let environment: [String: String]
    private let process: ChildProcess
    private let folder: TemporaryFolder

    /// Starts sway, which has the data-control protocol and the layer shell.
    public init(hasXWayland: Bool = false, outputs: Int = 1) async throws {
        folder = try TemporaryFolder("wayland")
        // Its own child tells when it is ready, and where. No key repeats itself, as on a VirtualDisplay.
        let configuration = try folder.write(
            """
            xwayland \(hasXWayland ? "force" : "disable")
            input * repeat_rate 0
            exec echo ready $WAYLAND_DISPLAY $DISPLAY

            """, to: "config")
        process = try ChildProcess(
            ["sway", "--config", configuration],
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
                "WLR_RENDERER": "pixman", "WLR_HEADLESS_OUTPUTS": "\(outputs)",
                "DISPLAY": "", "WAYLAND_DISPLAY": "", "SWAYSOCK": folder.path + "/sway",
            ])
        var environment = ["XDG_RUNTIME_DIR": folder.path, "SWAYSOCK": folder.path + "/sway"]
        let words = try await Self.displays(of: process)
        environment["WAYLAND_DISPLAY"] = words.first
        if hasXWayland { environment["DISPLAY"] = words.last }
        self.environment = environment
    }

    /// What sway's own child says when it is ready: the names of its displays.
    private static func displays(of sway: ChildProcess) async throws -> [String] {
        var said: [String] = []
        while let line = await sway.nextLine() {
            said.append(line)
            let words = line.split(separator: " ").map(String.init)
            if words.first == "ready", words.count > 1 { return Array(words.dropFirst()) }
        }
        throw TestingError("sway did not start: \(said.joined(separator: "; "))")
    }

    /// Starts sway as a guest of an X server, whose keyboard is a real one to it: of virtual keyboards each has a layout of its own.
    public init(on display: VirtualDisplay, settings: String) async throws {
        folder = try TemporaryFolder("wayland")
        let configuration = try folder.write(
            "xwayland disable\n\(settings)\nexec echo ready $WAYLAND_DISPLAY\n", to: "config")
        process = try ChildProcess(
            ["sway", "--config", configuration],
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman",
                "DISPLAY": display.display, "WAYLAND_DISPLAY": "",
            ])
        environment = [
            "XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": try await Self.displays(of: process).first ?? "",
        ]
    }

    public var processID: Int32 { process.processID }

    /// Starts Weston, which lets nobody look at the clipboard nor cover the screen, as GNOME does not.
    public init(weston socket: String) async throws {
        folder = try TemporaryFolder("wayland")
        process = try ChildProcess(
            ["weston", "--backend=headless-backend.so", "--socket=\(socket)", "--idle-time=0", "--no-config"],
            environment: ["XDG_RUNTIME_DIR": folder.path, "DISPLAY": "", "WAYLAND_DISPLAY": ""])
        environment = ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": socket]
        // It prints nothing that could be relied on.
        try await wait(forSocket: socket)
    }

    /// Starts KWin with one output.
    public init(kwin socket: String) async throws {
        folder = try TemporaryFolder("wayland")
        // The package gives the program a capability, with which a container may refuse to run it; a copy has none. Its
        // name must be the program's.
        let copy = folder.path + "/kwin_wayland"
        _ = await (try ChildProcess(["cp", "/usr/bin/kwin_wayland", copy])).end()
        process = try ChildProcess(
            [copy, "--virtual", "--no-lockscreen", "--no-global-shortcuts", "--socket", socket],
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config",
                "XDG_CACHE_HOME": folder.path + "/cache", "DISPLAY": "", "WAYLAND_DISPLAY": "",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none",
            ])
        environment = ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": socket]
        try await wait(forSocket: socket)
    }

    /// Starts GNOME's, on that session bus.
    public init(mutter socket: String, bus: String) async throws {
        folder = try TemporaryFolder("wayland")
        environment = ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": socket]
        process = try ChildProcess(
            [
                "mutter", "--headless", "--wayland", "--no-x11", "--virtual-monitor", "800x600",
                "--wayland-display=\(socket)",
            ],
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config",
                "XDG_CACHE_HOME": folder.path + "/cache", "DISPLAY": "", "WAYLAND_DISPLAY": "",
                "DBUS_SESSION_BUS_ADDRESS": bus, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/none",
                "GSETTINGS_BACKEND": "memory",
            ])
        try await wait(forSocket: socket)
    }

    deinit { stop() }

    private func wait(forSocket name: String) async throws {
        // It is there a moment before a client can connect.
        while Descriptor.connected(to: folder.path + "/" + name) == nil { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Kills it: all of its clients lose their connection.
    public func stop() { process.kill() }

    /// SIGSTOP, SIGCONT.
    public func signal(_ number: Int32) { kill(process.processID, number) }

    /// The path of its socket.
    public var socket: String { path(environment["WAYLAND_DISPLAY"] ?? "") }

    /// A path in its own folder.
    public func path(_ name: String) -> String { folder.path + "/" + name }

    public func read(_ name: String) throws -> String {
        guard let text = folder.text(of: name) else { throw TestingError("cannot read \(path(name))") }
        return text
    }

    public func run(_ command: String...) throws -> ChildProcess { try run(command) }

    public func run(_ command: [String]) throws -> ChildProcess {
        try ChildProcess(command, environment: ["DISPLAY": ""].merging(environment) { $1 })
    }

    /// The titles of all windows that sway has.
    public func windows() async throws -> [String] { try await tree().windows }

    /// The title of the window that has the keyboard, as sway says; nil: none has, as under a cover.
    public func focus() async throws -> String? { try await tree().focus }

    private func tree() async throws -> Node {
        let tool = try ChildProcess(["swaymsg", "--raw", "--type", "get_tree"], environment: environment)
        let (text, status) = await tool.end()
        guard status == 0 else { throw TestingError("swaymsg: \(text)") }
        return try JSONDecoder().decode(Node.self, from: Data(text.utf8))
    }

    /// A part of sway's tree; the windows have processes.
    private struct Node: Decodable {
        var name: String?
        var pid: Int?
        var focused: Bool
        var nodes: [Node]
        var floating: [Node]

        enum CodingKeys: String, CodingKey {
            case name, pid, focused, nodes
            case floating = "floating_nodes"
        }

        var focus: String? {
            focused && pid != nil ? name ?? "" : (nodes + floating).lazy.compactMap(\.focus).first
        }

        var windows: [String] { (pid == nil ? [] : [name ?? ""]) + (nodes + floating).flatMap(\.windows) }
    }

    /// Has sway do something.
    public func order(_ words: String...) async throws {
        let tool = try ChildProcess(["swaymsg", "--quiet"] + words, environment: environment)
        let (output, status) = await tool.end()
        guard status == 0 else { throw TestingError("swaymsg \(words): \(output)") }
    }

    /// How many pixels of each colour all of sway's outputs have, or one of them.
    public func picture(of output: String? = nil) async throws -> [UInt32: Int] {
        let file = path("picture-\(UInt64.random(in: .min ... .max))")
        defer { unlink(file) }
        let tool = try ChildProcess(
            ["grim", "-t", "ppm"] + (output.map { ["-o", $0] } ?? []) + [file], environment: environment)
        let (text, status) = await tool.end()
        guard status == 0 else { throw TestingError("grim: \(text)") }
        return try Self.colours(ofFile: file)
    }

    /// Of a portable pixmap: `P6`, width and height, 255, each on a line, then three bytes for each pixel.
    private static func colours(ofFile path: String) throws -> [UInt32: Int] {
        guard let file = fopen(path, "r") else { throw TestingError("no picture") }
        defer { fclose(file) }
        let lines = (0..<3).map { _ in line(file) }
        let size = lines[1].split(separator: " ").compactMap { Int($0) }
        guard lines[0] == "P6", size.count == 2, lines[2] == "255" else { throw TestingError("not a picture") }
        var bytes = [UInt8](repeating: 0, count: size[0] * size[1] * 3)
        guard fread(&bytes, 1, bytes.count, file) == bytes.count else { throw TestingError("half a picture") }
        var counts: [UInt32: Int] = [:]
        var (last, run): (UInt32, Int) = (.max, 0)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let pixel = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
            if pixel != last {
                if run > 0 { counts[last, default: 0] += run }
                (last, run) = (pixel, 0)
            }
            run += 1
        }
        if run > 0 { counts[last, default: 0] += run }
        return counts
    }

    private static func line(_ file: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        var byte = fgetc(file)
        while byte != EOF, byte != CInt(UInt8(ascii: "\n")) {
            bytes.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    public static func isInstalled(_ program: String) -> Bool { access("/usr/bin/" + program, X_OK) == 0 }

    public static func areInstalled(_ programs: String...) -> Bool { programs.allSatisfy(isInstalled) }
}
