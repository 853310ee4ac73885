import Baton
import BusTesting
import FolderTesting
import KioskTesting
import TerminalTesting

/// A kiosk with accounts of its own, on a display whose pixels can be read.
struct LocalKiosk: Sendable {
    let peer: Peer
    let terminal: Terminal
    let agent: AgentProcess
    let screen: Framebuffer
    let display: VirtualDisplay
    private let daemon: Program
    private let pixels: TemporaryFolder
    private let hasSpare: Bool

    /// - Parameters:
    ///   - settings: Other sections than `browser`.
    ///   - browser: Which one, in that section.
    static func start(
        hasSpare: Bool, settings: String = Terminal.patient, browser: String = "kind: chromium"
    ) async throws -> LocalKiosk {
        let pixels = try TemporaryFolder("pixels")
        let display = try VirtualDisplay(options: ["-fbdir", pixels.path])
        let terminal = try Terminal(
            settings: "browser: {\(browser), spare: \(hasSpare)}\n" + settings)
        let daemon = try terminal.run(["batond", "--session"], environment: ["DISPLAY": display.display])
        try await daemon.line(containing: "] ready")
        try await daemon.line(containing: "the agent has registered")
        return LocalKiosk(
            peer: try await Peer(terminal), terminal: terminal, agent: try await AgentProcess(of: daemon, on: terminal),
            screen: Framebuffer(inFolder: pixels.path), display: display, daemon: daemon, pixels: pixels,
            hasSpare: hasSpare)
    }

    var browsers: [BrowserProcesses] { BrowserProcesses.all(of: agent.pid) }

    /// Waits until all that comes after a sign-in or a sign-out has come.
    func settle() async throws { try await Self.settle(agent, browsers: hasSpare ? 2 : 1) }

    /// That a browser stands by is announced nowhere.
    static func settle(_ agent: AgentProcess, browsers count: Int) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while BrowserProcesses.all(of: agent.pid).count != count {
            guard ContinuousClock.now < end else { throw TestingError("never \(count) browsers") }
            try await Task.sleep(for: .milliseconds(100))
        }
        try await Task.sleep(for: .seconds(2))
    }

    func signIn() async throws { try await peer.signIn("ana", pin: "1234") }

    /// Signs out, and gives the receipt when it says that all is proven.
    @discardableResult
    func signOut() async throws -> Receipt { try Self.proven(try await peer.signOut()) }

    static func proven(_ receipt: Receipt?) throws -> Receipt {
        guard let receipt else { throw TestingError("a sign-out without a receipt") }
        guard receipt.outcome == .cleared, receipt.browser == .clean else {
            throw TestingError("not proven clean: \(receipt.explanation) \(receipt.browserExplanation)")
        }
        return receipt
    }
}
