import Browsers
import Glibc
import KioskTesting
import LinuxSystem
import Sandbox
import Testing
import Vocabulary

extension FirefoxTests {
    @Suite struct LogOutTests {
        private static let answer = "https://baton.invalid/signed-out?state=s3cret"

        @Test func `a provider confirms, asks something, says nothing, or cannot be reached`() async throws {
            let site = try await LoopbackSite([
                "/back": .redirect(Self.answer),
                "/script": .init(body: "<script>setTimeout(() => location = '\(Self.answer)', 50)</script>"),
                "/ask": .init(body: "Really?<script>alert('really?')</script>"),
                "/forged": .redirect("https://baton.invalid/forged?state=s3cret"),
                "/other": .redirect("https://baton.invalid/signed-out?state=other"),
            ])
            let pages = RecordingPages()
            try await FirefoxScene.run(pages) { browser in
                func logOut(_ path: String, first: Duration = .seconds(20), whole: Duration = .seconds(30)) async
                    -> PageLogOut
                {
                    await browser.logOut(
                        at: "\(site.outside)\(path)?state=s3cret", answer: Self.answer, first: first, whole: whole)
                }
                try await browser.watch(["\(site.outside)/back"])
                try await browser.open("https://baton.invalid/")
                let began = ContinuousClock.now
                #expect(await logOut("/back") == .confirmed)
                print("Firefox: log-out confirmed after \(began.duration(to: .now))")
                #expect(await logOut("/script") == .confirmed)
                #expect(await logOut("/ask", whole: .seconds(5)) == .answered)
                #expect(await logOut("/forged", whole: .seconds(5)) == .answered)
                #expect(await logOut("/other", whole: .seconds(5)) == .answered)
                #expect(await pages.request(to: "/signed-out")?.url == "https://baton.invalid/signed-out?state=other")
                #expect(await logOut("/never-answered", first: .seconds(3), whole: .seconds(100)) == .silent)
                let unreachable = await browser.logOut(
                    at: "http://10.0.2.2:1/", answer: Self.answer, first: .seconds(5), whole: .seconds(100))
                #expect(unreachable == .silent)
            }
            #expect(site.requested.contains("GET /back"))
            #expect(await pages.allSightings() == [])
        }

        @Test func `a browser that is stopped costs no more than the first limit, and does not answer for its cookies`()
            async throws
        {
            let pages = RecordingPages()
            try await FirefoxScene.run(pages) { browser in
                try await browser.open("https://baton.invalid/")
                _ = await pages.request(to: "/")
                for pid in tree(of: browser.confinement.process.pid) { kill(pid, SIGSTOP) }
                let outcome = await browser.logOut(
                    at: "https://baton.invalid/out", answer: Self.answer, first: .milliseconds(300),
                    whole: .seconds(3_600))
                #expect(outcome == .silent)
                #expect(await browser.sessionCookies(of: "https://baton.invalid/") == nil)
                await #expect(throws: BrowserFault.silent) { try await browser.open("https://baton.invalid/") }
            }
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
            try await FirefoxScene.run(pages) { browser in
                try await browser.open("\(site.outside)/")
                _ = await pages.request(to: "/set")
                #expect(await browser.sessionCookies(of: "\(site.outside)/") == ["a"])
                #expect(await browser.sessionCookies(of: "\(site.outside)/deep/x") == ["a", "c"])
                #expect(await browser.sessionCookies(of: "https://elsewhere.example/") == [])
            }
        }
    }
}
