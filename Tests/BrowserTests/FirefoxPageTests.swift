import Browsers
import Display
import KioskTesting
import Sandbox
import Synchronization
import Testing

extension FirefoxTests {
    @Suite struct PageTests {
        @Test func `a page of the virtual address is fetched, posts and polls, and a long poll holds up nobody`()
            async throws
        {
            let (released, release) = AsyncStream.makeStream(of: Void.self)
            let pages = RecordingPages { request in
                switch request.path {
                case "/":
                    return RecordingPages.page(
                        """
                        <script>
                        fetch('/poll').then(r => r.text()).then(t => fetch('/polled?' + t))
                        fetch('/post', {method: 'POST', body: 'pin=1&name=\u{017E}', headers: {'X-Own': 'a'}})
                        </script>
                        """)
                case "/poll":
                    for await _ in released {}
                    return BrowserResponse(status: 200, body: "over")
                default: return nil
                }
            }
            try await FirefoxScene.run(pages) { browser in
                try await browser.open("https://baton.invalid/")
                let post = await pages.request(to: "/post")
                #expect(post?.method == "POST")
                #expect(post?.body == "pin=1&name=\u{017E}")
                #expect(post?.headers["x-own"] == "a")
                #expect(post?.browser == ObjectIdentifier(browser.confinement.process))
                release.finish()
                #expect(await pages.request(to: "/polled")?.url == "https://baton.invalid/polled?over")
            }
        }

        @Test func `a body that is too long is refused before it comes here`() async throws {
            let pages = RecordingPages { request in
                guard request.path == "/" else { return nil }
                return RecordingPages.page(
                    """
                    <script>
                    fetch('/long', {method: 'POST', body: 'x'.repeat(65537)})
                        .then(r => fetch('/long', {method: 'POST', body: new Uint8Array([255])})
                        .then(s => fetch('/status?' + r.status + '-' + s.status)))
                    </script>
                    """)
            }
            try await FirefoxScene.run(pages) { browser in
                try await browser.open("https://baton.invalid/")
                #expect(await pages.request(to: "/status")?.url == "https://baton.invalid/status?413-400")
            }
        }

        @Test func `further addresses are answered by origin and path, whatever their query`() async throws {
            let pages = RecordingPages()
            var setup = FirefoxScene.setup()
            setup.answered = ["https://app.invalid:8443/(signed)/in"]
            try await FirefoxScene.run(pages, setup: setup) { browser in
                try await browser.open("https://app.invalid:8443/(signed)/in?code=c&state=s")
                #expect(
                    await pages.request(to: "/(signed)/in")?.url
                        == "https://app.invalid:8443/(signed)/in?code=c&state=s")
            }
        }

        @Test func `pages come from allowed places only`() async throws {
            let site = try await LoopbackSite(["/": .init(body: "in")])
            let pages = RecordingPages { request in
                guard request.path == "/" else { return nil }
                return RecordingPages.page(
                    "<script>onload = () => setTimeout(() => location = '\(site.outside)/', 0)</script>")
            }
            var setup = FirefoxScene.setup()
            setup.allow = ["https://intranet.example", "other.example"]
            try await FirefoxScene.run(pages, setup: setup) { browser in
                try await browser.watch(["\(site.outside)/"])
                try await browser.open("https://baton.invalid/")
                #expect(await pages.sighting() == "\(site.outside)/")
            }
            #expect(site.requested.isEmpty)
        }

        @Test func `on a display the page fills the screen, a second one is painted over a dialog and under the cover`()
            async throws
        {
            let display = try VirtualDisplay()
            let pages = RecordingPages { request in
                guard request.path == "/" || request.path == "/second" else { return nil }
                let script = request.path == "/" ? "setTimeout(() => alert('stay'), 0)" : ""
                return RecordingPages.page(
                    """
                    <script>
                    const report = () => innerHeight == screen.height
                        ? fetch('/size\(request.path)?' + innerWidth + 'x' + innerHeight).then(() => { \(script) })
                        : setTimeout(report, 20)
                    onload = () => requestAnimationFrame(() => requestAnimationFrame(report))
                    </script>
                    """)
            }
            try await FirefoxScene.run(pages, display: display) { browser in
                let began = ContinuousClock.now
                try await browser.open("https://baton.invalid/")
                #expect(await pages.request(to: "/size/")?.url == "https://baton.invalid/size/?1280x800")
                print("Firefox: page painted on a display after \(began.duration(to: .now))")
                let session = await SessionDisplay(environment: ["DISPLAY": display.display])
                #expect(await session.screen?.cover("Please wait.") == true)
                try await browser.open("https://baton.invalid/second")
                #expect(await pages.request(to: "/size/second")?.url == "https://baton.invalid/size/second?1280x800")
            }
        }

        @Test func `its version is told, and a program that is not there has none`() async {
            let maker = await FirefoxScene.maker()
            #expect(await maker.version(FirefoxScene.executable)?.hasPrefix("Firefox ") == true)
            #expect(await maker.version("/usr/bin/true") == nil)
            #expect(await maker.version("/nonexistent/firefox") == nil)
            #expect(!maker.canWait)
        }

        @Test func `a program that cannot be run is a fault, and nothing of it stays`() async throws {
            var setup = FirefoxScene.setup()
            setup.executable = "/nonexistent/firefox"
            let maker = await FirefoxScene.maker()
            let fault = await #expect(throws: BrowserFault.self) {
                _ = try await maker.start(setup, pages: RecordingPages())
            }
            guard case .notStarted(let why) = fault else { Issue.record("\(String(describing: fault))"); return }
            #expect(why.hasSuffix("it had ended with status 127"), "\(why)")
        }
    }
}
