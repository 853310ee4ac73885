import BusTesting
import TerminalTesting

/// A pointer of a compositor's, which is there until the object goes: a seat without one lets nothing be clicked.
public final class WaylandPointer: Sendable {
    private let process: ChildProcess
    private let pipe: OrderPipe

    /// - Parameter size: Of the screen, in pixels.
    public init(of compositor: HeadlessCompositor, size: (width: Int, height: Int)) async throws {
        pipe = try OrderPipe(at: compositor.path("pointer"))
        process = try compositor.run([
            "python3", "\(Terminal.package)/Tests/KioskTesting/pointer.py", "\(size.width)", "\(size.height)",
            pipe.path,
        ])
        let line = await process.nextLine()
        guard line == "ready" else { throw TestingError("no pointer: \(line ?? "it ended")") }
    }

    deinit { process.kill() }

    public func click(_ x: Int, _ y: Int) async throws {
        try pipe.send(["\(x) \(y)"])
        let answer = await process.nextLine()
        guard answer == "done" else { throw TestingError("no click: \(answer ?? "it ended")") }
    }
}
