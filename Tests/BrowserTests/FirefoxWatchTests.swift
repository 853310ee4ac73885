import Agent
import KioskTesting
import Testing

extension FirefoxTests {
    @Suite struct WatchTests {
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
