import BusTesting
import Glibc

/// A Wayland compositor without a screen, in a runtime folder of its own.
final class HeadlessCompositor: Sendable {
    /// WAYLAND_DISPLAY and XDG_RUNTIME_DIR; DISPLAY when it has XWayland.
    let environment: [String: String]
    private let process: ChildProcess
    private let folder: String

    /// Starts sway, which has the data-control protocol.
    init(hasXWayland: Bool = false) async throws {
        let folder = try Self.makeFolder()
        let configuration = folder + "/config"
        guard let file = fopen(configuration, "w") else { throw TestingError("cannot write \(configuration)") }
        // Its own child tells when it is ready, and where.
        fputs("xwayland \(hasXWayland ? "force" : "disable")\nexec echo ready $WAYLAND_DISPLAY $DISPLAY\n", file)
        fclose(file)
        let process = try ChildProcess(
            ["sway", "--config", configuration],
            environment: [
                "XDG_RUNTIME_DIR": folder, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
                "WLR_RENDERER": "pixman", "DISPLAY": "", "WAYLAND_DISPLAY": "", "SWAYSOCK": folder + "/sway",
            ])
        self.folder = folder
        self.process = process
        var environment = ["XDG_RUNTIME_DIR": folder]
        var words: [String] = []
        while let line = await process.nextLine() {
            guard line.hasPrefix("ready ") else {
                words.append(line)
                continue
            }
            words = line.split(separator: " ").dropFirst().map(String.init)
            environment["WAYLAND_DISPLAY"] = words.first
            if hasXWayland { environment["DISPLAY"] = words.last }
            break
        }
        guard environment["WAYLAND_DISPLAY"] != nil else {
            throw TestingError("sway did not start: \(words.joined(separator: "; "))")
        }
        self.environment = environment
    }

    /// Starts Weston, which lets nobody look at the clipboard, as GNOME does not.
    init(weston socket: String) async throws {
        let folder = try Self.makeFolder()
        let process = try ChildProcess(
            ["weston", "--backend=headless-backend.so", "--socket=\(socket)", "--idle-time=0", "--no-config"],
            environment: ["XDG_RUNTIME_DIR": folder, "DISPLAY": "", "WAYLAND_DISPLAY": ""])
        self.folder = folder
        self.process = process
        environment = ["XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": socket]
        // It prints nothing that could be relied on.
        try await eventually { access(folder + "/" + socket, F_OK) == 0 }
    }

    deinit { stop() }

    func stop() {
        process.kill()
        if let directory = opendir(folder) {
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                unlink(folder + "/" + name)
            }
            closedir(directory)
        }
        rmdir(folder)
    }

    func run(_ command: String...) throws -> ChildProcess {
        try ChildProcess(command, environment: ["DISPLAY": ""].merging(environment) { $1 })
    }

    static func isInstalled(_ program: String) -> Bool { access("/usr/bin/" + program, X_OK) == 0 }

    private static func makeFolder() throws -> String {
        var template = Array("/tmp/baton-wayland-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestingError("no temporary folder") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
