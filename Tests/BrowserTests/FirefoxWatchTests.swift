import Browsers
import KioskTesting
import Synchronization
import Testing

extension FirefoxTests {
    @Suite struct WatchTests {
        /// What a page does when somebody clicks, without which Firefox opens no window.
        static let clicks = [
            "open(END, '_blank', 'popup')", "open(END, '_blank', 'noopener')",
            "addEventListener('pagehide', () => navigator.sendBeacon(END, 'x')); location = '/away'",
        ]

        @Test func `a sign-out in a pop-up, or with the last word of a page, is seen as well`() async throws {
            let site = try await LoopbackSite(["/end_session": .init(body: "bye"), "/away": .init(body: "gone")])
            for (number, way) in Self.clicks.enumerated() {
                site.set(
                    "/click\(number)",
                    .init(
                        body: """
                            <!doctype html><body style="height: 100vh; margin: 0" onclick="go()"><script>
                            const END = '\(site.outside)/end_session?click=\(number)'
                            const go = () => { document.body.onclick = null; \(way) }
                            onload = () => requestAnimationFrame(() => requestAnimationFrame(() =>
                                fetch('https://baton.invalid/shown', {mode: 'no-cors'})))
                            </script>
                            """))
            }
            let display = try VirtualDisplay()
            let pages = RecordingPages()
            try await FirefoxScene.run(pages, display: display) { browser in
                try await browser.watch(["\(site.outside)/end_session"])
                for number in Self.clicks.indices {
                    try await browser.open("\(site.outside)/click\(number)")
                    _ = await pages.request(to: "/shown")
                    // Firefox may not yet take the first click on a window that it has just painted; nothing tells.
                    let isSeen = Mutex(false)
                    async let clicks: Void = {
                        while !isSeen.withLock({ $0 }) {
                            try await display.click()
                            try await Task.sleep(for: .seconds(1))
                        }
                    }()
                    #expect(await pages.sighting() == "\(site.outside)/end_session?click=\(number)")
                    isSeen.withLock { $0 = true }
                    try await clicks
                }
            }
        }

        static let ways = [
            "location = END", "location = REDIRECT", "fetch(END, {mode: 'no-cors'})",
            "navigator.sendBeacon(END, 'x')",
            "fetch(END, {method: 'POST', mode: 'no-cors', body: 'x'})", "new Image().src = END",
            "document.body.append(Object.assign(document.createElement('iframe'), {src: END}))",
            "const f = document.createElement('form'); f.method = 'post'; f.action = END; document.body.append(f); f.submit()",
        ]

        @Test func `a sign-out at the provider is seen, however a page requests it`() async throws {
            let site = try await LoopbackSite(["/end_session": .init(body: "bye"), "/other": .init(body: "")])
            // From the site itself: what an https page embeds from an http one, Firefox blocks before it is a request.
            for (number, way) in Self.ways.enumerated() {
                let end = "\(site.outside)/end_session?way=\(number)"
                site.set("/redirect\(number)", .redirect(end))
                site.set(
                    "/way\(number)",
                    .init(
                        body: """
                            <body><script>
                            const END = '\(end)', REDIRECT = '/redirect\(number)'
                            fetch('/other'); \(way)
                            </script>
                            """))
            }
            let pages = RecordingPages { _ in nil }
            try await FirefoxScene.run(pages) { browser in
                try await browser.watch(["\(site.outside)/end_session"])
                for number in Self.ways.indices {
                    try await browser.open("\(site.outside)/way\(number)")
                    #expect(await pages.sighting() == "\(site.outside)/end_session?way=\(number)")
                }
            }
            #expect(Set(site.requested).isSuperset(of: ["GET /end_session", "POST /end_session", "GET /other"]))
        }
    }
}
