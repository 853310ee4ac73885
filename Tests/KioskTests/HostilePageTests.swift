import Baton
import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import TerminalTesting
import Testing

/// A worker's page that wants to keep its worker signed in and the screen for itself, in the browser of a real agent.
@Suite(
    "A page that means ill", .asOrdinaryUser, .serialized, .timeLimit(.minutes(2)),
    .enabled(if: access("/usr/lib/chromium/chromium", X_OK) == 0, "needs chromium"),
    .enabled(if: AgentPage.isShown, "needs a checkout outside of /tmp, which sandboxes do not show"))
struct HostilePageTests {
    /// Of the panel's frame and button, and of the bar.
    private static let accent: UInt32 = 0x6095c9
    private static let bar: UInt32 = 0x111721

    /// A screen that the test looks at and touches.
    private struct Screen {
        var environment: [String: String]
        var click: () async throws -> Void
        var picture: () async throws -> [UInt32: Int]
    }

    @Test(.enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
    func `the bar and the countdown lie above it, and its worker is signed out when they are idle`() async throws {
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let screen = Screen(
            environment: ["DISPLAY": display.display], click: { try await display.click(640, 500) },
            picture: { try client.picture() })
        #expect(try await end(on: screen, "idle: 25s, countdown: 20s") == .idle)
    }

    // Debian 12's compositor minds programs that keep the screen on, as docs/limits.md says: the turn's longest time ends it.
    @Test(.enabled(if: HeadlessCompositor.areInstalled("sway", "grim"), "needs sway and grim"))
    func `on Wayland they lie above it, too, and the longest time of a turn ends it`() async throws {
        let compositor = try await HeadlessCompositor()
        let pointer = try await WaylandPointer(of: compositor, size: (1280, 720))
        let screen = Screen(
            environment: compositor.environment, click: { try await pointer.click(640, 500) },
            picture: { try await compositor.picture() })
        #expect(try await end(on: screen, "idle: off, turn: 45s, countdown: 20s") == .expired)
    }

    /// Ana's page takes all that it can get, until a countdown ends her turn; why it did.
    private func end(on screen: Screen, _ settings: String) async throws -> SignOutReason? {
        let folder = try TemporaryFolder("site")
        try folder.write(HostilePage.text, to: "index.html")
        let server = try ChildProcess(
            ["/usr/bin/python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "0"],
            environment: [:])
        defer { server.kill() }
        // Serving HTTP on 127.0.0.1 port N
        let words = try #require(await server.nextLine()).split(separator: " ")
        let port = try #require(words.firstIndex(of: "port").map { words[$0 + 1] })
        let page = AgentPage()
        let terminal = try Terminal(
            settings: "browser: {\(page.settings), spare: false, start-page: \"http://localhost:\(port)/\"}\n"
                + "automatic-sign-out: {\(settings)}\n" + Terminal.patient)
        let daemon = try terminal.run(["batond", "--session"], environment: screen.environment)
        try await daemon.line(containing: "the agent has registered")
        let device = try await terminal.device()
        try await device.awaitStartPage()
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        try await eventually { try await screen.picture()[HostilePage.ground] ?? 0 > 100_000 }
        try await eventually { try await screen.picture()[Self.bar] ?? 0 > 5000 }
        // It hears nothing until its first picture is on the screen. Until it has all, no countdown begins.
        try await eventually {
            try await screen.click()
            try await peer.call(Device1.keepSignedIn)
            return try await page.value(of: HostilePage.held) == "true,true,true"
        }
        try await eventually { try await screen.picture()[Self.bar] ?? 0 > 5000 }
        try await eventually { try await screen.picture()[Self.accent] ?? 0 > 10_000 }
        #expect(try await screen.picture()[HostilePage.ground] ?? 0 > 100_000)
        try await peer.waitForPhase(.ready)
        let receipt = try #require(try await device.receipts(newest: 1).first)
        #expect(receipt.outcome == .cleared && receipt.browser == .clean)
        try await eventually { try await screen.picture()[HostilePage.ground] == nil }
        withExtendedLifetime(daemon) {}
        return receipt.reason
    }
}
