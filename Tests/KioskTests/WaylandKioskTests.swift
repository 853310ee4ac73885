import Baton
import BusTesting
import KioskTesting
import ProviderTesting
import TerminalTesting
import Testing

/// A whole turn in a Wayland session, with the agent's cover and a real Chromium.
@Suite(
    .asOrdinaryUser,
    .enabled(if: HeadlessCompositor.areInstalled("sway", "grim", "wl-paste"), "needs sway, grim and wl-clipboard"),
    .serialized, .timeLimit(.minutes(4)))
struct WaylandKioskTests {
    @Test func `a turn in a Wayland session ends covered, with everything looked at and a painted start page`()
        async throws
    {
        let compositor = try await HeadlessCompositor()
        let kiosk = try await KioskTerminal.start(on: compositor)
        let information = try await kiosk.device.deviceInformation()
        #expect(information.session == "wayland")
        // Debian 12 has a compositor that minds programs which keep the screen on.
        let idle = try #require(information.idle)
        #expect(idle != .nothing)
        #expect(
            information.warnings.map { $0.contains("keeps its worker signed in") }
                == (idle.mindsInhibitors ? [true] : []))
        for account in [DevelopmentProviderProcess.ana, DevelopmentProviderProcess.ben] {
            try await kiosk.signIn(account)
            let receipt = try #require(try await kiosk.device.signOut().receipt)
            #expect(receipt.outcome == .cleared, "\(receipt.explanation) \(receipt.browserExplanation)")
            #expect(receipt.browser == .clean)
            let screen = try #require(receipt.browserChecks.first { $0.holder == "screen" })
            #expect(screen.outcome == .clean && screen.explanation == "covered")
            let page = try #require(receipt.browserChecks.first { $0.holder == "start-page" })
            #expect(page.outcome == .clean && page.explanation.contains("painted"), "\(page.explanation)")
            try await untilStartPageShows(on: compositor)
        }
    }

    /// Neither a cover nor the compositor's own ground: most of the screen has the page's. The suite's limit ends it.
    private func untilStartPageShows(on compositor: HeadlessCompositor) async throws {
        try await eventually {
            let picture = try await compositor.picture()
            return picture[0xf4f6f8, default: 0] > picture.values.reduce(0, +) / 2
        }
    }
}
