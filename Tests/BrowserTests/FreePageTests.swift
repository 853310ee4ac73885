import BusTesting
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Presentation
import Sandbox
import Testing

@testable import Agent
@testable import Browsers

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

    func run(_ page: FreePage, _ body: (Chromium, VirtualDisplay) async throws -> Void) async throws {
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

    func report(_ path: String, when condition: String, in browser: Chromium) async throws {
        try await evaluate(
            "(function look() { \(condition) ? fetch('\(path)') : setTimeout(look, 20) })()", in: browser)
    }

    func evaluate(_ script: String, in browser: Chromium) async throws {
        let targets = try await browser.link.call(GetTargets()).targetInfos
        let page = try #require(targets.first { $0.type == "page" })
        let session = try await browser.link.call(Attach(targetId: page.targetId)).sessionId
        try await browser.link.call(
            Send(
                sessionId: session,
                message: #"{"id":1,"method":"Runtime.evaluate","params":{"expression":"\#(script)"}}"#))
    }

    @Test func `a worker of before signs in by a tile and keys of the page, which knows no user name of theirs`()
        async throws
    {
        let page = await FreePage()
        try await run(page) { browser, _ in
            await page.desk.change { state in
                state.recent = [.init(key: "k1", label: "AH"), .init(key: "k2", label: "BL")]
                state.hasKeys = true
            }
            try await report("/offered", when: "document.querySelectorAll('#recent button').length === 2", in: browser)
            await page.untilRequested("/offered")
            // The 9 is taken back. What is typed is not to be read.
            try await evaluate(
                """
                document.querySelectorAll('#recent button')[1].click(); \
                for (const text of '12349⌫') [...document.querySelectorAll('#keys button')].find(one => one.textContent === text).click(); \
                fetch(`/seen-${document.activeElement.id}-${document.getElementById('pin').type}`); \
                document.querySelector('#local .large').click()
                """, in: browser)
            await page.untilRequested("/seen-pin-password")
            #expect(await page.nextWish() == .signInAgain(tile: "k2", pin: "1234"))
        }
    }

    @Test func `a worker without a PIN locks with one that they choose, or with none where phones are offered`()
        async throws
    {
        let page = await FreePage { wish in wish == .lock(pin: "") ? .message(.choosePIN) : .none }
        try await run(page) { browser, _ in
            for offersPhone in [false, true] {
                await page.desk.change { state in
                    (state.phase, state.identity, state.name, state.username) = ("in-use", "oidc", "Ana", "ana")
                    (state.canLock, state.offersPhone) = (true, offersPhone)
                }
                try await report("/offered", when: "!document.getElementById('lock').hidden", in: browser)
                await page.untilRequested("/offered")
                try await evaluate("document.getElementById('lock').click()", in: browser)
                #expect(await page.nextWish() == .lock(pin: ""))
                let isHidden = "document.getElementById('without-pin').hidden === \(!offersPhone)"
                let isAsked = "!document.getElementById('choose').hidden && \(isHidden)"
                try await report("/asked", when: isAsked, in: browser)
                await page.untilRequested("/asked")
                if offersPhone {
                    try await evaluate("document.getElementById('without-pin').click()", in: browser)
                    #expect(await page.nextWish() == .lockWithoutPIN)
                } else {
                    // Neither is sent, and the browser shows no bubble of its own.
                    for unfit in ["123", "12a4"] {
                        try await evaluate(
                            "document.getElementById('new-pin').value = '\(unfit)'; "
                                + "document.getElementById('choose').requestSubmit(); "
                                + "document.querySelector('#choose:invalid') || document.getElementById('new-pin').value "
                                + "|| fetch('/unfit-' + document.activeElement.id)", in: browser)
                        await page.untilRequested("/unfit-new-pin")
                    }
                    try await evaluate(
                        "document.getElementById('new-pin').value = '246810'; "
                            + "document.getElementById('choose').requestSubmit()", in: browser)
                    #expect(await page.nextWish() == .lock(pin: "246810"))
                }
            }
        }
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
        // A browser that gets no processor for so long between two keys loses the first of them.
        let page = await FreePage(leftAfter: .seconds(20))
        try await run(page) { browser, display in
            try await evaluate(HeardKey.script, in: browser)
            try await page.keyboard.wait(on: display)
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
        let keyboard = HeardKey()
        let pages = RecordingPages { request in
            switch request.path {
            case "/": return RecordingPages.page("<script>\(HeardKey.script)</script>")
            case "/again": return RecordingPages.page("<script>onload = () => fetch('/there')</script>")
            case HeardKey.path: keyboard.hear()
            default: break
            }
            return nil
        }
        let display = try VirtualDisplay()
        try await ChromiumScene.run(pages, display: display, reach: .startPage) { browser in
            try await browser.open("https://baton.invalid/")
            try await keyboard.wait(on: display)
            // The page does nothing against it: the key is the browser's.
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
            try await eventually {
                try await chromium.link.call(GetTargets(), limit: .seconds(60)).targetInfos
                    .filter { $0.type == "page" }.map(\.url) == ["https://baton.invalid/"]
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
