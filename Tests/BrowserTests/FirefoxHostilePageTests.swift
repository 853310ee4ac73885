import Browsers
import BusTesting
import Display
import KioskTesting
import LinuxSystem
import Testing
import Vocabulary

extension FirefoxTests {
    /// A worker's page that wants the screen for itself, in a real Firefox. A whole terminal has it in Chromium.
    @Suite(.enabled(if: HeadlessCompositor.areInstalled("sway", "grim"), "needs sway and grim"))
    struct HostilePageTests {
        /// Of the panel's frame and button, and of the bar.
        private static let accent: UInt32 = 0xffc733
        private static let bar: UInt32 = 0x111721

        @Test func `bar and countdown lie above a page that fills the screen and holds the pointer`() async throws {
            let compositor = try await HeadlessCompositor()
            let pointer = try await WaylandPointer(of: compositor, size: (1280, 720))
            let site = try await LoopbackSite([
                "/": .init(body: HostilePage.text), "/screen": .init(), "/pointer": .init(),
            ])
            let session = await SessionDisplay(environment: compositor.environment)
            let bar = try #require(session.bar(.bottomLeft) { _ in })
            let panel = try #require(session.notice {})
            try await FirefoxScene.run(RecordingPages(), on: compositor) { firefox in
                try await firefox.open("\(site.outside)/")
                try await eventually { try await compositor.picture()[HostilePage.ground] ?? 0 > 100_000 }
                #expect(await bar.show(["Ana Horvat", "Sign out"]))
                try await eventually {
                    try await pointer.click(640, 500)
                    return site.requested.contains("GET /screen") && site.requested.contains("GET /pointer")
                }
                #expect(try await compositor.picture()[Self.bar] ?? 0 > 2000)
                #expect(await panel.show(["Ana Horvat: sign-out in 20 seconds", "I am still here"]))
                try await eventually { try await compositor.picture()[Self.accent] ?? 0 > 10_000 }
                #expect(try await compositor.picture()[HostilePage.ground] ?? 0 > 100_000)
            }
            try await eventually { try await compositor.picture()[HostilePage.ground] == nil }
            await bar.close()
            await panel.close()
        }
    }
}
