import BusTesting
import FolderTesting
import Glibc

/// A folder of its own for one test, and batonctl as a program in it.
final class Workplace: Sendable {
    private let files: TemporaryFolder
    var folder: String { files.path }

    init() throws { files = try TemporaryFolder("batonctl") }

    /// Where the build put the programs: beside the test bundle.
    static let programs: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, 4095)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
    }()

    /// The top of the package.
    static let package: String = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }

    /// No desktop, and nothing of the user who runs the tests.
    func environment(_ bus: PrivateBus? = nil, _ more: [String: String] = [:]) -> [String: String] {
        [
            "BATON_BUS": bus?.rawAddress ?? "unix:path=/nowhere", "PATH": "\(Self.programs):/usr/bin:/bin",
            "HOME": folder, "XDG_CONFIG_HOME": "\(folder)/config", "XDG_DATA_HOME": "\(folder)/data", "DISPLAY": "",
            "WAYLAND_DISPLAY": "", "XDG_CURRENT_DESKTOP": "", "DESKTOP_SESSION": "", "BROWSER": "/bin/false",
            "TERM": "xterm", "LC_ALL": "C.UTF-8",
        ].merging(more) { $1 }
    }

    func batonctl(
        _ arguments: [String], on bus: PrivateBus? = nil, _ more: [String: String] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(["\(Self.programs)/batonctl"] + arguments, environment: environment(bus, more))
    }

    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
        try files.write(text, to: name, mode: mode)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String { try files.write(bytes, to: name) }

    func exists(_ name: String) -> Bool { access("\(folder)/\(name)", F_OK) == 0 }

    func read(_ name: String) throws -> String {
        guard let text = files.text(of: name) else { throw TestingError("cannot read \(folder)/\(name)") }
        return text
    }
}
