import Browsers
import BusTesting
import KioskTesting
import LinuxSystem
import Testing

/// What browsers lay over a page by themselves: offers to keep a password, to translate, to be the default browser.
@Suite(
    .asOrdinaryUser, .serialized, .timeLimit(.minutes(3)),
    .enabled(if: HeadlessCompositor.areInstalled("sway", "wtype", "grim"), "needs sway, wtype and grim"))
struct BubbleTests {
    // Of nothing and all: text is drawn in them without any rounding.
    private static let form: UInt32 = 0x00ffff
    private static let inside: UInt32 = 0x00ff00
    /// In none of the languages that these browsers are told, and not to be seen on its ground.
    private static let text = """
        <p>Dobro došli u bolnicu. Ova stranica prikazuje popis bolesnika na odjelu, njihove lijekove i nalaze. Odaberite bolesnika \
        kojega želite pregledati, a zatim upišite mjerenja. Ako nešto nije u redu, obratite se glavnoj sestri na odjelu.</p>
        """

    private static func page(_ colour: UInt32, _ body: String) -> LoopbackSite.Page {
        let digits = String(colour, radix: 16)
        let ground = "#" + String(repeating: "0", count: 6 - digits.count) + digits
        return LoopbackSite.Page(
            body: """
                <!doctype html><html lang="hr"><meta charset="utf-8"><title>Odjel</title>
                <body style="margin: 0; background: \(ground); color: \(ground); overflow: hidden">\(text)\(body)</body>
                """)
    }

    private static func site() async throws -> LoopbackSite {
        try await LoopbackSite([
            "/": page(
                form,
                """
                <form method="post" action="/in"><input name="username" autocomplete="username" autofocus>
                <input name="password" type="password" autocomplete="current-password"><button>In</button></form>
                <script>\(HeardKey.script)</script>
                """),
            "/in": page(inside, ""), HeardKey.path: .init(),
        ])
    }

    /// A worker signs in at a page with a name and a password, which a browser would like to keep, and reads the next one.
    private func signIn(
        _ browser: any Browser, _ site: LoopbackSite, at address: String, on compositor: HeadlessCompositor
    )
        async throws
    {
        let keyboard = try WaylandKeyboard(of: compositor)
        try await browser.open(address)
        try await eventually { try await compositor.picture()[Self.form] ?? 0 > 500_000 }
        try await eventually {
            try await keyboard.press("Shift_L")
            return site.requested.contains("GET \(HeardKey.path)")
        }
        try await keyboard.type("ana")
        try await keyboard.press("Tab")
        try await keyboard.type("s3cret-word")
        try await keyboard.press("Return")
        try await eventually { site.requested.contains("POST /in") }
        func isWhole() async throws -> Bool {
            let picture = try await compositor.picture()
            return picture[Self.inside] == picture.values.reduce(0, +)
        }
        try await eventually { try await isWhole() }
        // One that Chromium shows, where it is let, is there half a second after the page.
        let end = ContinuousClock.now + .seconds(4)
        while ContinuousClock.now < end { #expect(try await isWhole()) }
    }

    @Test(.withChromium) func `none lies over a page in Chromium after a sign-in`() async throws {
        let (compositor, site) = (try await HeadlessCompositor(), try await Self.site())
        try await ChromiumScene.run(RecordingPages(), on: compositor) { browser in
            try await signIn(browser, site, at: site.origin + "/", on: compositor)
        }
    }

    @Test(.withFirefox) func `none lies over a page in Firefox after a sign-in`() async throws {
        let (compositor, site) = (try await HeadlessCompositor(), try await Self.site())
        try await FirefoxScene.run(RecordingPages(), on: compositor) { browser in
            try await signIn(browser, site, at: site.outside + "/", on: compositor)
        }
    }
}
