import Browsers
import KioskTesting
import Testing

@Suite(.asOrdinaryUser, .withChromium, .serialized, .timeLimit(.minutes(3))) struct ChromiumWatchTests {
    enum Way: String, CaseIterable {
        case navigation, redirect, form, fetch, iframe, beacon, worker = "service worker"
        case popup = "pop-up", bareLink = "link to a new window", lastWord = "beacon of a page that goes"
    }

    @Test(arguments: Way.allCases) func `a page asks the provider to sign out, and the agent hears of it`(
        way: Way
    ) async throws {
        let worker =
            "onmessage = e => fetch('/end_session?from=worker'); onactivate = e => e.waitUntil(clients.claim())"
        let register =
            "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)"
            + ".then(r => r.active.postMessage('go'))"
        let body =
            switch way {
            case .navigation: "<script>location = '/end_session?id_token_hint=x'</script>"
            case .redirect: "<script>location = '/hop'</script>"
            case .form:
                "<form method=post action=/end_session><input name=a value=b></form><script>document.forms[0].submit()</script>"
            case .fetch: "<script>fetch('/end_session')</script>"
            case .iframe: "<iframe src=/end_session></iframe>"
            case .beacon: "<script>navigator.sendBeacon('/end_session', 'x')</script>"
            case .popup: "<script>open('/end_session', '_blank', 'popup')</script>"
            case .bareLink:
                "<a href=/end_session target=_blank rel=noopener>out</a>"
                    + "<script>document.querySelector('a').click()</script>"
            case .lastWord:
                "<script>onpagehide = () => navigator.sendBeacon('/end_session', 'x');"
                    + "onload = () => setTimeout(() => location = '/hop-away', 0)</script>"
            case .worker: "<script>\(register)</script>"
            }
        let site = try await LoopbackSite([
            "/": .init(body: body + "<p>/end_sessions</p><img src=/end_sessions><img src=/other/end_session>"),
            "/hop": .redirect("/end_session"), "/worker.js": .script(worker), "/end_session": .init(body: "bye"),
            "/hop-away": .init(body: "gone"), "/end_sessions": .init(), "/other/end_session": .init(),
        ])
        let pages = RecordingPages()
        try await ChromiumScene.run(pages, setup: ChromiumScene.setup(arguments: ["--disable-popup-blocking"])) {
            browser in
            try await browser.watch(["\(site.origin)/end_session"])
            try await browser.open("\(site.origin)/")
            let url = await pages.sighting()
            #expect(url?.hasPrefix("\(site.origin)/end_session") == true)
            #expect(url?.hasPrefix("\(site.origin)/end_sessions") == false)
        }
    }
}
