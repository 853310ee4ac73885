import BusTesting
import KioskTesting
import Sandbox
import Testing

@testable import Browsers

@Suite(.asOrdinaryUser, .withChromium, .serialized, .timeLimit(.minutes(3))) struct ChromiumPageTests {
    @Test func `a page at the virtual address is shown, though nobody listens there`() async throws {
        let pages = RecordingPages { request in
            request.path == "/"
                ? RecordingPages.page("<script>requestAnimationFrame(() => fetch('/painted'))</script>") : nil
        }
        let display = try VirtualDisplay()
        try await ChromiumScene.run(pages, display: display) { browser in
            try await browser.open("https://baton.invalid/")
            #expect(await pages.request(to: "/painted")?.headers["user-agent"]?.contains("Chrome") == true)
        }
    }

    @Test func `what a page posts arrives with its method, headers and body`() async throws {
        let script = "fetch('/post?a=b', {method: 'POST', headers: {'X-Own': 'ü1'.slice(1)}, body: 'čaj & kruh'})"
        let pages = RecordingPages { $0.path == "/" ? RecordingPages.page("<script>\(script)</script>") : nil }
        try await ChromiumScene.run(pages) { browser in
            try await browser.open("https://baton.invalid/")
            let request = await pages.request(to: "/post")
            #expect(request?.method == "POST")
            #expect(request?.url == "https://baton.invalid/post?a=b")
            #expect(request?.headers["x-own"] == "1")
            #expect(request?.body == "čaj & kruh")
            #expect(request?.browser == ObjectIdentifier(browser.confinement.process))
        }
    }

    @Test func `an answer that is held open holds up no other`() async throws {
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let pages = RecordingPages { request in
            switch request.path {
            case "/":
                return RecordingPages.page(
                    "<script>for (let i = 0; i < 5; i++) fetch('/state?since=' + i).then(r => r.text())"
                        + ".then(t => fetch('/heard', {method: 'POST', body: t}));"
                        + "setTimeout(() => fetch('/other'), 100)</script>")
            case "/state" where request.url.hasSuffix("since=0"):
                for await _ in released { break }
                return BrowserResponse(status: 200, body: "changed")
            case "/state":
                try? await Task.sleep(for: .seconds(100))
                return nil
            default: return nil
            }
        }
        try await ChromiumScene.run(pages) { browser in
            try await browser.open("https://baton.invalid/")
            #expect(await pages.request(to: "/other") != nil)
            // New patterns leave what is held alone.
            try await browser.watch(["https://provider.example/logout"])
            release.yield()
            #expect(await pages.request(to: "/heard")?.body == "changed")
        }
    }

    @Test func `a body above the limit is answered with 413 and not delivered`() async throws {
        let script =
            "fetch('/post', {method: 'POST', body: 'x'.repeat(65537)}).then(r => fetch('/status', "
            + "{method: 'POST', body: '' + r.status})).then(() => fetch('/post', {method: 'POST', body: 'x'.repeat(65536)}))"
        let pages = RecordingPages { $0.path == "/" ? RecordingPages.page("<script>\(script)</script>") : nil }
        try await ChromiumScene.run(pages) { browser in
            try await browser.open("https://baton.invalid/")
            #expect(await pages.request(to: "/status")?.body == "413")
            #expect(await pages.request(to: "/post")?.body.utf8.count == 65536)
        }
    }

    @Test func `pages outside the list are refused, also in frames`() async throws {
        let site = try await LoopbackSite([
            "/": .init(body: "<iframe src='http://127.0.0.1:1/'></iframe>"), "/secret": .init(body: "secret"),
        ])
        let other = "http://127.0.0.1:\(site.port)"
        site.set(
            "/",
            .init(
                body: "<iframe src='\(other)/frame'></iframe><iframe src='/allowed'></iframe>"
                    + "<script>onload = () => location = 'https://baton.invalid/done'</script>"))
        site.set("/allowed", .init(body: "yes"))
        let pages = RecordingPages { request in
            switch request.path {
            case "/": RecordingPages.page("<script>location = '\(site.origin)/'</script>")
            case "/done":
                RecordingPages.page("<script>location = '\(other)/page'; setTimeout(() => fetch('/end'), 300)</script>")
            default: nil
            }
        }
        var setup = ChromiumScene.setup()
        setup.allow = ["localhost"]
        try await ChromiumScene.run(pages, setup: setup) { browser in
            try await browser.open("https://baton.invalid/")
            #expect(await pages.request(to: "/done") != nil)
            try await browser.open("https://baton.invalid/last")
            #expect(await pages.request(to: "/last") != nil)
        }
        #expect(site.requested.contains("GET /allowed"))
        #expect(!site.requested.contains("GET /frame") && !site.requested.contains("GET /page"))
    }

    @Test func `a flood of pop-ups ends at the limit`() async throws {
        let script = "for (let i = 0; i < 60; i++) open('/pop?' + i, '_blank', 'popup'); fetch('/done')"
        let pages = RecordingPages { request in
            if request.path == "/" { return RecordingPages.page("<script>\(script)</script>") }
            return nil
        }
        let setup = ChromiumScene.setup(arguments: ["--disable-popup-blocking"])
        try await ChromiumScene.run(pages, setup: setup) { browser in
            try await browser.open("https://baton.invalid/")
            #expect(await pages.request(to: "/done") != nil)
            try await browser.open("https://baton.invalid/after")
            let chromium = try #require(browser as? Chromium)
            // Closing takes the browser a moment, and nothing tells when it is done with all of them.
            try await eventually {
                let targets = try await chromium.link.call(GetTargets(), limit: .seconds(60)).targetInfos
                return targets.count { $0.type == "page" } <= PageTargets.most + 1
            }
        }
    }
}
