import BusTesting
import Glibc
import TerminalTesting

/// A pointer of a compositor's, which is there until the object goes: a seat without one lets nothing be clicked.
public final class WaylandPointer: Sendable {
    private let process: ChildProcess
    private let pipe: String

    /// - Parameter size: Of the screen, in pixels.
    public init(of compositor: HeadlessCompositor, size: (width: Int, height: Int)) async throws {
        pipe = compositor.path("pointer")
        guard mkfifo(pipe, 0o600) == 0 else { throw TestingError("no pipe for a pointer") }
        process = try compositor.run([
            "python3", "\(Terminal.package)/Tests/KioskTesting/pointer.py", "\(size.width)", "\(size.height)", pipe,
        ])
        let line = await process.nextLine()
        guard line == "ready" else { throw TestingError("no pointer: \(line ?? "it ended")") }
    }

    deinit { process.kill() }

    public func click(_ x: Int, _ y: Int) async throws {
        let line = "\(x) \(y)\n"
        let descriptor = open(pipe, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard write(descriptor, line, line.utf8.count) == line.utf8.count else { throw TestingError("no click") }
        let answer = await process.nextLine()
        guard answer == "done" else { throw TestingError("no click: \(answer ?? "it ended")") }
    }
}
