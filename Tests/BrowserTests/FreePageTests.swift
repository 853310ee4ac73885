import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Sandbox
import Synchronization
import Testing

@testable import Agent
@testable import Browsers

/// The start page of a free terminal, in a real browser with real keys.
struct FreePage: BrowserPages {
    /// Keys of browsers and of GTK, none of which may do anything.
    static let keys =
        [
            "F1", "F3", "F5", "F6", "F7", "F10", "F11", "F12", "shift+F5", "shift+F7", "shift+F10", "shift+Escape",
            "alt+Home", "alt+Left", "alt+Right", "alt+d", "alt+f", "alt+e",
        ] + "adefghjklnoprstu".map { "ctrl+\($0)" } + "abcdefghijkmnoprst".map { "ctrl+shift+\($0)" } + [
            "ctrl+shift+Delete", "ctrl+Tab", "ctrl+F5", "ctrl+1", "ctrl+9", "ctrl+plus", "ctrl+minus", "ctrl+0",
            "ctrl+Return", "alt+Return", "alt+1",
        ]
    /// Those that close a page or the browser.
    static let closingKeys = ["ctrl+w", "ctrl+F4", "ctrl+shift+w", "ctrl+q", "ctrl+shift+q", "alt+F4"]

    /// How often the page has asked for its state.
    private final class Polls: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    private let polls = Polls()
    let desk = StartPageServer(address: "https://baton.invalid")
    private let wishes: AsyncStream<StartPageServer.Wish>
    private let wish: AsyncStream<StartPageServer.Wish>.Continuation
    private let paths: AsyncStream<String>
    private let path: AsyncStream<String>.Continuation

    init(leftAfter: Duration = .seconds(600)) async {
        let (wishes, wish) = AsyncStream.makeStream(of: StartPageServer.Wish.self)
        (self.wishes, self.wish) = (wishes, wish)
        (paths, path) = AsyncStream.makeStream(of: String.self)
        await desk.join(
            StartPageServer.Outside(
                wish: { made in
                    wish.yield(made)
                    return ""
                }, response: { _ in false }, frontChannel: { _, _ in false }, saw: { _, _ in },
                lost: { _ in Issue.record("the page was lost") }, icon: { _ in nil }))
        await desk.change { state in
            state.phase = "ready"
            state.identity = "local"
            state.leftAfter = Int(leftAfter.components.seconds) * 1000
        }
    }

    func answer(_ request: BrowserRequest) async -> BrowserResponse {
        path.yield(request.path)
        if request.path == "/state" { polls.add() }
        return await desk.answer(request)
    }

    func saw(_ url: String, in browser: ObjectIdentifier) async {}
    func lost(in browser: ObjectIdentifier) async { await desk.lost(in: browser) }

    /// Opens the page and waits until it is there.
    func open(in browser: any Browser) async throws {
        let instance = BrowserInstance(browser)
        await desk.add(instance)
        try await browser.open("https://baton.invalid/")
        #expect(await desk.untilPainted(instance, atMost: .seconds(60)))
    }

    func nextWish() async -> StartPageServer.Wish? {
        for await wish in wishes { return wish }
        return nil
    }

    /// Has the page show something new: it then takes the focus into the first field, when none has it.
    func refocus() async throws {
        let seen = polls.count
        await desk.change { $0.message = "Type your name." }
        try await eventually { polls.count > seen }
    }

    func untilRequested(_ wanted: String) async {
        for await path in paths where path == wanted { return }
    }
}

extension VirtualDisplay {
    func press(_ keys: String...) async throws { try await press(keys) }
    func press(_ keys: [String]) async throws { try await xdotool(["key", "--delay", "60"] + keys) }
    func type(_ text: String) async throws { try await xdotool(["type", "--delay", "30", text]) }

    /// Types into the field that has the focus and into the next one, as one program: on a busy machine the next program may
    /// begin only when the page has forgotten what the one before it typed.
    func fill(_ name: String, _ pin: String, before: [String] = [], after: [String] = []) async throws {
        func typing(_ text: String) -> [String] { ["type", "--delay", "30", "--args", "1", text] }
        try await xdotool(before + typing(name) + ["key", "Tab"] + typing(pin) + after)
    }

    /// Somewhere in the page, or on what is in front of it.
    func click(_ x: Int = 640, _ y: Int = 400) async throws {
        try await xdotool(["mousemove", "\(x)", "\(y)", "click", "1"])
    }

    private func xdotool(_ arguments: [String]) async throws {
        let result = await (try ChildProcess(["xdotool"] + arguments, environment: ["DISPLAY": display])).end()
        #expect(result.status == 0, "\(result.output)")
    }
}

@Suite(.asOrdinaryUser, .withChromium, .serialized, .timeLimit(.minutes(3))) struct ChromiumFreePageTests {
    private struct Attach: ChromiumCommand {
        static let method = "Target.attachToTarget"
        struct Answer: Decodable, Sendable { var sessionId: String }
        var targetId: String
    }
    private struct Send: ChromiumCommand {
        static let method = "Target.sendMessageToTarget"
        var sessionId: String
        var message: String
    }

    private func run(_ page: FreePage, _ body: (Chromium, VirtualDisplay) async throws -> Void) async throws {
        let display = try VirtualDisplay()
        try await ChromiumScene.run(page, display: display, reach: .startPage) { browser in
            try await page.open(in: browser)
            try await body(try #require(browser as? Chromium), display)
        }
    }

    /// Has the page request a path as soon as its fields hold these texts.
    private func report(_ path: String, when name: String, _ pin: String, in browser: Chromium) async throws {
        let condition =
            "document.getElementById('username').value === '\(name)' && document.getElementById('pin').value === '\(pin)'"
        try await report(path, when: condition, in: browser)
    }

    private func report(_ path: String, when condition: String, in browser: Chromium) async throws {
        let targets = try await browser.link.call(GetTargets()).targetInfos
        let page = try #require(targets.first { $0.type == "page" })
        let session = try await browser.link.call(Attach(targetId: page.targetId)).sessionId
        let script = "(function look() { \(condition) ? fetch('\(path)') : setTimeout(look, 20) })()"
        try await browser.link.call(
            Send(
                sessionId: session,
                message: #"{"id":1,"method":"Runtime.evaluate","params":{"expression":"\#(script)"}}"#))
    }

    @Test func `no key of the browser does anything, and the page has what is typed`() async throws {
        let page = await FreePage()
        try await run(page) { browser, display in
            try await display.press(FreePage.keys + FreePage.closingKeys)
            try await display.type("ana")
            try await display.press("Tab")
            try await display.type("1234")
            try await display.press("Return")
            #expect(await page.nextWish() == .signIn(username: "ana", pin: "1234"))
            let targets = try await browser.link.call(GetTargets()).targetInfos.filter { $0.type == "page" }
            #expect(targets.map(\.url) == ["https://baton.invalid/"])
        }
    }

    @Test func `what was typed and not sent is gone after a while, and Return sends nothing`() async throws {
        let page = await FreePage(leftAfter: .seconds(6))
        try await run(page) { browser, display in
            // The window may be painted before the keyboard is its own.
            let hasKeyboard = "document.hasFocus() && document.activeElement.id === 'username'"
            try await report("/focused", when: hasKeyboard, in: browser)
            await page.untilRequested("/focused")
            try await report("/typed", when: "ana", "1234", in: browser)
            try await display.fill("ana", "1234")
            await page.untilRequested("/typed")
            try await report("/emptied", when: "", "", in: browser)
            await page.untilRequested("/emptied")
            try await display.press("Return")
            // The next that is heard is this one's.
            try await display.fill("bo", "5678", before: ["key", "shift+Tab"], after: ["key", "Return"])
            #expect(await page.nextWish() == .signIn(username: "bo", pin: "5678"))
        }
    }

    @Test func `a page that was closed or whose process ends is lost`() async throws {
        let pages = RecordingPages { request in
            guard request.path == "/again" else { return nil }
            return RecordingPages.page("<script>onload = () => fetch('/there')</script>")
        }
        let display = try VirtualDisplay()
        try await ChromiumScene.run(pages, display: display, reach: .startPage) { browser in
            try await browser.open("https://baton.invalid/")
            _ = await pages.request(to: "/")
            // A page without a script of ours: the key is the browser's.
            try await display.press("ctrl+w")
            #expect(await pages.loss() == ObjectIdentifier(browser.confinement.process))
            try await browser.open("https://baton.invalid/again")
            // Before that, its process may not be the page's yet.
            _ = await pages.request(to: "/there")
            for pid in tree(of: browser.confinement.process.pid) where isRenderer(pid) { kill(pid, SIGKILL) }
            #expect(await pages.loss() == ObjectIdentifier(browser.confinement.process))
        }
    }

    private func isRenderer(_ pid: Int32) -> Bool {
        contents("/proc/\(pid)/cmdline")?.contains("--type=renderer") == true
    }

    @Test func `pages of a free terminal load nothing from elsewhere, and no other page stays open`() async throws {
        let site = try await LoopbackSite(["/": .init(body: "in")])
        let pages = RecordingPages { request in
            guard request.path == "/" else { return nil }
            return RecordingPages.page(
                """
                <iframe src="\(site.origin)/"></iframe><img src="\(site.origin)/"><script>
                onload = () => {
                    fetch('\(site.origin)/', {mode: 'no-cors'}).catch(() => {
                        open('\(site.origin)/'); open('about:blank'); location = '\(site.origin)/'
                        setTimeout(() => fetch('/still'), 500)
                    })
                }
                </script>
                """)
        }
        let setup = ChromiumScene.setup(arguments: ["--disable-popup-blocking"])
        let display = try VirtualDisplay()
        try await ChromiumScene.run(pages, setup: setup, display: display, reach: .startPage) { browser in
            try await browser.open("https://baton.invalid/")
            _ = await pages.request(to: "/still")
            try await display.press("F1", "ctrl+t", "ctrl+n")
            let chromium = try #require(browser as? Chromium)
            var open: [String] = []
            while open != ["https://baton.invalid/"] {
                try await Task.sleep(for: .milliseconds(50))
                open = try await chromium.link.call(GetTargets(), limit: .seconds(60)).targetInfos
                    .filter { $0.type == "page" }.map(\.url)
            }
        }
        #expect(site.requested.isEmpty)
    }

    @Test func `while somebody signs in, the provider's pages are loaded and no others`() async throws {
        let other = try await LoopbackSite(["/": .init(body: "in"), "/image": .init()])
        let script =
            "<iframe src=\(other.origin)/></iframe><img src=\(other.origin)/image>"
            + "<script>onload = () => { location = '\(other.origin)/';"
            + " setTimeout(() => location = 'https://baton.invalid/signed-in', 500) }</script>"
        let provider = try await LoopbackSite(["/sign-in": .init(body: script)])
        let pages = RecordingPages()
        try await ChromiumScene.run(pages, reach: .signIn([provider.origin])) { browser in
            try await browser.open("\(provider.origin)/sign-in")
            #expect(await pages.request(to: "/signed-in") != nil)
        }
        #expect(provider.requested.contains("GET /sign-in"))
        // Parts of the provider's page come from anywhere.
        #expect(other.requested == ["GET /image"])
    }
}

extension FirefoxTests {
    @Suite struct FreePageTests {
        @Test func `a free terminal loads nothing from elsewhere`() async throws {
            let site = try await LoopbackSite(["/": .init(body: "in")])
            let pages = RecordingPages { request in
                guard request.path == "/" else { return nil }
                return RecordingPages.page(
                    """
                    <iframe src="\(site.outside)/"></iframe><script>
                    onload = () => {
                        location = '\(site.outside)/'
                        setTimeout(() => fetch('/still'), 500)
                    }
                    </script>
                    """)
            }
            let display = try VirtualDisplay()
            try await FirefoxScene.run(pages, display: display, reach: .startPage) { browser in
                try await browser.open("https://baton.invalid/")
                _ = await pages.request(to: "/still")
            }
            #expect(site.requested.isEmpty)
        }

        @Test func `while somebody signs in, the provider's pages are loaded and no others`() async throws {
            let other = try await LoopbackSite(["/": .init(body: "in")])
            let script =
                "<iframe src=\(other.outside)/></iframe><script>onload = () => { location = '\(other.outside)/';"
                + " setTimeout(() => location = 'https://baton.invalid/signed-in', 500) }</script>"
            let provider = try await LoopbackSite(["/sign-in": .init(body: script)])
            let pages = RecordingPages()
            try await FirefoxScene.run(pages, reach: .signIn([provider.outside])) { browser in
                try await browser.open("\(provider.outside)/sign-in")
                #expect(await pages.request(to: "/signed-in") != nil)
                // A turn's pages come from anywhere again.
                try await browser.limit(to: .turn)
                try await browser.watch(["\(other.outside)/"])
                try await browser.open("\(other.outside)/")
                #expect(await pages.sighting() != nil)
            }
            #expect(provider.requested.contains("GET /sign-in"))
        }
    }
}
