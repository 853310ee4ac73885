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
    .enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"),
    .enabled(if: AgentPage.isShown, "needs a checkout outside of /tmp, which sandboxes do not show"))
struct HostilePageTests {
    private static let ground: UInt32 = 0xff00fe
    /// Of the panel's frame and button, and of the bar.
    private static let accent: UInt32 = 0x6095c9
    private static let bar: UInt32 = 0x111721

    /// When it is touched it fills the screen, takes the pointer and keeps the screen on; and it says what the panel would say.
    private static let page = """
        <!doctype html><title>Baton</title>
        <body style="margin: 0; background: #ff00fe"><h1 style="font-size: 60px">Ana will be signed out in 9999 s</h1>
        <script>
        window.hold = {};
        onclick = () => {
          // Each uses up what a touch allows.
          if (!document.fullscreenElement) {
            document.documentElement.requestFullscreen().then(() => { hold.screen = true; });
          } else if (!document.pointerLockElement) {
            document.body.requestPointerLock();
          } else {
            navigator.wakeLock.request('screen').then(() => { hold.lock = true; });
          }
        };
        setInterval(() => { if (hold.screen) document.documentElement.requestFullscreen().catch(() => {}); }, 100);
        document.onpointerlockchange = () => { hold.pointer = !!document.pointerLockElement; };
        onbeforeunload = event => event.preventDefault();
        </script>
        """

    @Test func `the bar and the countdown lie above it, and its worker is signed out when they are idle`() async throws
    {
        let folder = try TemporaryFolder("site")
        try folder.write(Self.page, to: "index.html")
        let server = try ChildProcess(
            ["/usr/bin/python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "0"],
            environment: [:])
        defer { server.kill() }
        // Serving HTTP on 127.0.0.1 port N
        let words = try #require(await server.nextLine()).split(separator: " ")
        let port = try #require(words.firstIndex(of: "port").map { words[$0 + 1] })
        let display = try VirtualDisplay()
        let client = try XClient(display.display)
        let page = AgentPage()
        let terminal = try Terminal(
            settings: "browser: {\(page.settings), spare: false, start-page: \"http://localhost:\(port)/\"}\n"
                + "automatic-sign-out: {idle: 25s, countdown: 20s}\n" + Terminal.patient)
        let daemon = try terminal.run(["batond", "--session"], environment: ["DISPLAY": display.display])
        try await daemon.line(containing: "the agent has registered")
        let device = try await terminal.device()
        try await device.awaitStartPage()
        let peer = try await Peer(terminal)
        try await peer.signIn("ana", pin: "1234")
        try await eventually { try client.picture()[Self.ground] ?? 0 > 100_000 }
        try await eventually { try client.picture()[Self.bar] ?? 0 > 5000 }
        // It hears nothing until its first picture is on the screen.
        try await eventually {
            try await display.click(640, 500)
            return try await page.value(of: "[hold.screen, hold.pointer, hold.lock].join()") == "true,true,true"
        }
        #expect(try client.picture()[Self.bar] ?? 0 > 5000)
        try await eventually { try client.picture()[Self.accent] ?? 0 > 10_000 }
        #expect(try client.picture()[Self.ground] ?? 0 > 100_000)
        try await peer.waitForPhase(.ready)
        let receipt = try #require(try await device.receipts(newest: 1).first)
        #expect(receipt.reason == .idle && receipt.outcome == .cleared && receipt.browser == .clean)
        try await eventually { try client.picture()[Self.ground] == nil }
        withExtendedLifetime(daemon) {}
    }
}
