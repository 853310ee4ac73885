import Baton
import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import TerminalTesting
import Testing

/// Whole turns with a real Firefox, which the agent steers over BiDi in a network namespace of its own.
@Suite(
    .asOrdinaryUser,
    .enabled(
        if: ["/usr/bin/firefox-esr", "/usr/bin/slirp4netns", "/usr/bin/socat", "/dev/net/tun"].allSatisfy {
            (path: String) in
            // A device that this user may not open is as good as none.
            access(path, path.hasPrefix("/dev/") ? R_OK | W_OK : X_OK) == 0
        }, "needs firefox-esr, slirp4netns, socat and /dev/net/tun"),
    .serialized, .timeLimit(.minutes(4)))
struct FirefoxKioskTests {
    private static func start() async throws -> (VirtualDisplay, Terminal, Program, Peer) {
        let display = try VirtualDisplay()
        let (terminal, daemon, peer) = try await start(on: ["DISPLAY": display.display])
        return (display, terminal, daemon, peer)
    }

    private static func start(on display: [String: String]) async throws -> (Terminal, Program, Peer) {
        // A cold Firefox takes seconds, and on a busy machine many.
        let terminal = try Terminal(
            settings: "browser: {kind: firefox}\nbarrier: {soft: 2s, hard: 14s, containment: 5s, absolute: 20s}\n")
        let daemon = try terminal.run(["batond", "--session"], environment: display)
        try await daemon.line(containing: "] ready")
        try await daemon.line(containing: "the agent has registered")
        return (terminal, daemon, try await Peer(terminal))
    }

    /// The first processes of the browsers that run now.
    private static func browsers() -> Set<Int32> {
        Set(KioskTerminal.browserProcesses().filter { contents("/proc/\($0)/comm") == "firefox-esr\n" })
    }

    /// A turn after which a browser stands there with its page painted, as its receipt says.
    private static func settle(_ peer: Peer, _ terminal: Terminal) async throws -> Set<Int32> {
        try await terminal.device().awaitStartPage()
        try await peer.signIn("ana", pin: "1234")
        let receipt = try #require(try await peer.signOut())
        try await checkPage(receipt, terminal)
        return browsers()
    }

    /// On a machine that is too busy for a Firefox to start within a sign-out, the device is free only when the page is there, and its
    /// receipt says so: nothing else may have kept it back.
    private static func checkPage(_ receipt: Receipt, _ terminal: Terminal) async throws {
        if receipt.outcome == .cleared {
            #expect(try row("start-page", of: receipt).explanation == "painted")
        } else {
            let failed = receipt.browserChecks.filter { $0.outcome == .failed }.map(\.holder)
            #expect(failed == ["start-page"], "\(receipt.explanation) \(receipt.browserExplanation)")
        }
        try await terminal.device().awaitStartPage()
    }

    private static func row(_ name: String, of receipt: Receipt) throws -> Receipt.Check {
        try #require(receipt.browserChecks.first { $0.holder == name })
    }

    @Test func `each worker has a Firefox of their own, whose end and whose successor's page are proven`()
        async throws
    {
        let (display, terminal, daemon, peer) = try await Self.start()
        #expect(try await terminal.device().deviceInformation().browser.rawValue.contains("Firefox"))
        try await daemon.telling {
            var mine = try await Self.settle(peer, terminal)
            #expect(!mine.isEmpty)
            for (worker, pin) in [("bo", "5678"), ("ana", "1234")] {
                try await peer.signIn(worker, pin: pin)
                let receipt = try #require(try await peer.signOut())
                try await Self.checkPage(receipt, terminal)
                #expect(try Self.row("screen", of: receipt).explanation == "covered")
                #expect(try Self.row("browser", of: receipt).explanation == "ended, proof: namespace")
                let next = Self.browsers()
                #expect(mine.isDisjoint(with: next))
                mine = next
            }
        }
        withExtendedLifetime((display, daemon)) {}
    }

    @Test(.enabled(if: WaylandKeyboard.isInstalled, "needs sway and wtype"))
    func `a worker signs in with nothing but keys`() async throws {
        let compositor = try await HeadlessCompositor()
        let keyboard = try WaylandKeyboard(of: compositor)
        let (terminal, daemon, peer) = try await Self.start(
            on: ["DISPLAY": "", "WAYLAND_DISPLAY": compositor.socket])
        let device = try await terminal.device()
        _ = try await Self.settle(peer, terminal)
        try await eventually { try await compositor.focus()?.contains("Shared terminal") == true }
        try await keyboard.type("bo")
        try await keyboard.press("Tab")
        try await keyboard.type("5678")
        try await keyboard.press("Return")
        try await eventually { try await device.getCurrentAccount().current?.username == "bo" }
        withExtendedLifetime(daemon) {}
    }

    @Test func `a Firefox of which every process is stopped changes nothing of that`() async throws {
        let (display, terminal, daemon, peer) = try await Self.start()
        let mine = try await Self.settle(peer, terminal)
        try await peer.signIn("bo", pin: "5678")
        for pid in KioskTerminal.browserProcesses() { kill(pid, SIGSTOP) }
        let receipt = try #require(try await peer.signOut())
        try await Self.checkPage(receipt, terminal)
        #expect(try Self.row("browser", of: receipt).explanation == "ended, proof: namespace")
        #expect(mine.isDisjoint(with: Self.browsers()))
        withExtendedLifetime((display, terminal, daemon)) {}
    }
}
