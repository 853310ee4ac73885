import BusTesting
import Display
import FolderTesting
import TerminalTesting

/// A Wayland compositor with ext-idle-notify-v1, whose seats are idle when a test says so.
///
/// No compositor that Debian has can be had without a screen and offers the protocol's second version.
final class ScriptedIdler: Sendable {
    let session: SessionDisplay
    private let folder: TemporaryFolder
    private let orders: OrderPipe
    private let process: ChildProcess

    /// - Parameter version: Of the protocol, as it is offered.
    init(version: Int) async throws {
        folder = try TemporaryFolder("idler")
        orders = try OrderPipe(at: folder.path(of: "orders"))
        process = try ChildProcess([
            "python3", "\(Terminal.package)/Tests/HolderTests/idler.py", folder.path(of: "wayland"), "\(version)",
            orders.path,
        ])
        guard await process.nextLine() == "ready" else { throw TestingError("no idler") }
        session = await SessionDisplay(environment: ["WAYLAND_DISPLAY": folder.path(of: "wayland")])
    }

    deinit { process.kill() }

    /// What it was asked for next.
    func request() async -> String? { await process.nextLine() }

    /// `idled`, `resumed`, `add` or `remove`, and a seat's number.
    func order(_ orders: String...) throws { try self.orders.send(orders) }

    func kill() { process.kill() }
}
