import Baton
import BusTesting
import FolderTesting
import FoundationEssentials
import Glibc
import KioskTesting
import TerminalTesting
import Testing

/// What a worker who seems to be away sees, on a real display and without a browser of Baton's.
@Suite(
    "A countdown", .asOrdinaryUser, .serialized, .timeLimit(.minutes(2)),
    .enabled(if: access("/usr/bin/xdotool", X_OK) == 0, "needs xdotool"))
struct CountdownTests {
    /// Of the panel's frame and button: that of the page by night.
    private static let accent: UInt32 = 0x6095c9

    private func isShown(_ place: BareTerminal, _ accent: UInt32 = accent) throws -> Bool {
        try place.client.picture()[accent] ?? 0 > 10_000
    }

    /// The middle of the panel's button, on a screen of 1280 by 800.
    private func press(_ place: BareTerminal) async throws { try await place.display.click(880, 90) }

    @Test func `a worker who presses the button stays, also when the agent was killed meanwhile`() async throws {
        // The pointer's way to the button is input, too.
        let place = try await BareTerminal.start(
            "automatic-sign-out: {idle: 90s, countdown: 88s, any-input: false}\n")
        try await place.peer.signIn("ana", pin: "1234")
        try await eventually { try isShown(place) }
        let ends = try await place.device.deviceInformation().countdownEnds
        #expect(ends > 0)
        #expect(try await place.device.deviceInformation().countdownReason == .idle)
        #expect(try await place.terminal.batonctl("status").output.contains("sign-out in"))
        kill(try await AgentProcess(of: place.daemon, on: place.terminal).pid, SIGKILL)
        try await eventually { try !isShown(place) }
        try await place.daemon.line(containing: "the agent has registered", count: 2)
        try await eventually { try isShown(place) }
        // The same one.
        #expect(try await place.device.deviceInformation().countdownEnds == ends)
        try await press(place)
        try await eventually { try !isShown(place) }
        #expect(try await place.device.deviceInformation().countdownEnds == 0)
        #expect(try await place.device.deviceInformation().countdownReason == nil)
        #expect(try await place.peer.phase() == "in-use")
        // What was said counts from then on: it begins again.
        try await eventually { try isShown(place) }
        try await press(place)
        try await eventually { try !isShown(place) }
    }

    @Test func `a worker who is away is signed out, and a screen without one shows no panel`() async throws {
        let place = try await BareTerminal.start("automatic-sign-out: {idle: 4s, countdown: 2s}\n")
        try await place.peer.signIn("ana", pin: "1234")
        try await eventually { try isShown(place) }
        try await place.peer.waitForPhase(.ready)
        try await eventually { try !isShown(place) }
        #expect(try await place.device.receipts(newest: 1).first?.reason == .idle)
    }

    @Test func `panel, lock and cover have the site's colour and its logo`() async throws {
        let folder = try TemporaryFolder("logo")
        let logo = folder.path + "/logo.svg"
        // All of it in one colour that nothing else here has.
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><rect width="8" height="4" fill="#ff00fe"/></svg>
            """
        try Data(drawing.utf8).write(to: URL(filePath: logo))
        let place = try await BareTerminal.start(
            Terminal.patient + "automatic-sign-out: {idle: 90s, countdown: 88s}\n"
                + "start-page: {accent: \"#176b3a\", logo: \"\(logo)\"}\n")
        try await place.peer.signIn("ana", pin: "1234")
        func showsLogo() throws -> Bool { try place.client.picture()[0xff00fe] ?? 0 > 1000 }
        try await eventually { try isShown(place, 0x5c9775) }
        try await eventually { try showsLogo() }
        #expect(try await place.terminal.batonctl("lock").status == 0)
        #expect(try isShown(place, 0x5c9775) && showsLogo())
        // One that says nothing.
        let app = try place.terminal.run(["batonctl", "participate", "org.example.A"])
        try await app.line(containing: "ready")
        kill(app.pid, SIGSTOP)
        let peer = place.peer
        async let signedOut = peer.signOut()
        try await eventually { try showsLogo() }
        await app.kill()
        _ = try await signedOut
        try await eventually { try place.client.picture()[0xff00fe] == nil }
    }
}
