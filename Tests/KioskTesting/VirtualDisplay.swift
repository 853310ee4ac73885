import BusTesting
import Glibc

/// An X server of its own without a screen, killed when the object goes.
public final class VirtualDisplay: Sendable {
    /// As in `DISPLAY`.
    public let display: String
    private let server: ChildProcess

    /// - Parameter options: Further arguments of Xvfb.
    public init(options: [String] = []) throws {
        // Without a reset, or the server would forget all when its last client leaves. It repeats a key that is held: on a busy
        // machine a tool may get no processor for so long between the press and the release.
        server = try ChildProcess(
            [
                "Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp", "-screen", "0", "1280x800x24", "-ardelay",
                "3600000",
            ] + options)
        // It prints the number when it is ready; warnings may come before.
        while let line = try server.readLine() {
            if let number = Int(line) {
                display = ":\(number)"
                return
            }
        }
        throw TestingError("Xvfb did not start")
    }

    public var pid: Int32 { server.processID }

    /// Kills the server: all of its clients lose their connection.
    public func kill() { server.kill() }

    /// SIGSTOP, SIGCONT.
    public func signal(_ number: Int32) { Glibc.kill(server.processID, number) }
}
