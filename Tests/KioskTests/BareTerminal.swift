import Baton
import BusTesting
import KioskTesting
import TerminalTesting

/// A terminal on an X server, without a browser of Baton's.
struct BareTerminal {
    let display: VirtualDisplay
    /// Another program there.
    let client: XClient
    let terminal: Terminal
    let daemon: Program
    let peer: Peer
    let device: Device

    static func start(_ settings: String = "") async throws -> BareTerminal {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let terminal = try Terminal(settings: settings)
        let daemon = try terminal.run(["batond", "--session"], environment: ["DISPLAY": display.display])
        try await daemon.line(containing: "] ready")
        try await daemon.line(containing: "the agent has registered")
        return BareTerminal(
            display: display, client: client, terminal: terminal, daemon: daemon, peer: try await Peer(terminal),
            device: try await terminal.device())
    }
}
