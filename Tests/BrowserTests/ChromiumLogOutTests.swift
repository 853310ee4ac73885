import Browsers
import Glibc
import KioskTesting
import LinuxSystem
import Sandbox
import Testing
import Vocabulary

@Suite(.asOrdinaryUser, .withChromium, .serialized, .timeLimit(.minutes(3))) struct ChromiumLogOutTests {
    private static let answer = "https://baton.invalid/signed-out?state=s3cret"

    /// - Parameter page: What the provider says to a log-out; nil: nothing, ever.
    private func logOut(
        _ page: LoopbackSite.Page?, answer: String = answer, first: Duration = .seconds(20),
        whole: Duration = .seconds(30), _ before: (any Browser, LoopbackSite) async throws -> Void = { _, _ in }
    ) async throws -> (PageLogOut?, RecordingPages, LoopbackSite) {
        let site = try await LoopbackSite(["/": .init(headers: [("Set-Cookie", "session=1; HttpOnly")], body: "in")])
        if let page { site.set("/end_session", page) }
        let pages = RecordingPages()
        var result: PageLogOut?
        try await ChromiumScene.run(pages) { browser in
            try await browser.watch(["\(site.origin)/end_session"])
            try await browser.open("https://baton.invalid/")
            try await before(browser, site)
            result = await browser.logOut(
                at: "\(site.origin)/end_session?id_token_hint=h&state=s3cret", answer: answer, first: first,
                whole: whole)
        }
        return (result, pages, site)
    }

    @Test func `a provider that sends the browser back has confirmed, and our own request is not reported`()
        async throws
    {
        let (result, pages, site) = try await logOut(.redirect(Self.answer))
        #expect(result == .confirmed)
        #expect(site.requested.contains("GET /end_session"))
        #expect(await pages.allSightings() == [])
    }

    @Test func `so has one that goes through other pages first`() async throws {
        let (result, _, _) = try await logOut(
            .init(body: "<script>setTimeout(() => location = '\(Self.answer)', 50)</script>"))
        #expect(result == .confirmed)
    }

    @Test func `a page that asks something and never comes back is an answer and no more`() async throws {
        let (result, _, _) = try await logOut(.init(body: "Really?"), whole: .seconds(5))
        #expect(result == .answered)
    }

    @Test func `an answer with another state is none of ours`() async throws {
        let (result, pages, _) = try await logOut(
            .redirect("https://baton.invalid/signed-out?state=forged"), whole: .seconds(5))
        #expect(result == .answered)
        #expect(await pages.request(to: "/signed-out") != nil)
    }

    @Test func `a provider that says nothing is silent after its first limit`() async throws {
        let (result, _, _) = try await logOut(nil, first: .milliseconds(500))
        #expect(result == .silent)
    }

    @Test func `a provider that cannot be reached is silent at once`() async throws {
        let pages = RecordingPages()
        try await ChromiumScene.run(pages) { browser in
            try await browser.open("https://baton.invalid/")
            let result = await browser.logOut(
                at: "http://localhost:1/end_session", answer: Self.answer, first: .seconds(60), whole: .seconds(100))
            #expect(result == .silent)
        }
    }

    @Test func `a browser that is stopped costs no more than the first limit`() async throws {
        let (result, _, _) = try await logOut(.redirect(Self.answer), first: .milliseconds(300), whole: .seconds(3_600))
        {
            browser, _ in
            for pid in tree(of: browser.confinement.process.pid) { kill(pid, SIGSTOP) }
        }
        #expect(result == .silent)
    }

    @Test func `cookies that scripts cannot read are named for the addresses that get them`() async throws {
        let site = try await LoopbackSite([
            "/": .init(
                headers: [
                    ("Set-Cookie", "a=1; HttpOnly"), ("Set-Cookie", "b=1"),
                    ("Set-Cookie", "c=1; HttpOnly; Path=/deep"), ("Content-Type", "text/html"),
                ], body: "<script>fetch('https://baton.invalid/set', {mode: 'no-cors'})</script>")
        ])
        let pages = RecordingPages()
        try await ChromiumScene.run(pages) { browser in
            try await browser.open("\(site.origin)/")
            _ = await pages.request(to: "/set")
            #expect(await browser.sessionCookies(of: "\(site.origin)/") == ["a"])
            #expect(await browser.sessionCookies(of: "\(site.origin)/deep/x") == ["a", "c"])
            #expect(await browser.sessionCookies(of: "https://elsewhere.example/") == [])
        }
    }
}
