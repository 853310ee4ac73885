import Glibc
import KioskTesting
import LinuxSystem
import Testing
import Vocabulary

@testable import Browsers
@testable import Sandbox

@Suite(.asOrdinaryUser, .withChromium, .serialized, .timeLimit(.minutes(3))) struct ChromiumEndTests {
    enum State: String, CaseIterable {
        case dialog, beforeUnload, loop, manyTabs, stopped
    }

    @Test(arguments: State.allCases) func `it ends whatever its pages do`(state: State) async throws {
        let body =
            switch state {
            case .dialog: "fetch('/here').then(() => alert('no'))"
            case .beforeUnload: "onbeforeunload = e => e.preventDefault(); fetch('/here')"
            case .loop: "fetch('/here'); setTimeout(() => { for (;;); }, 1)"
            case .manyTabs, .stopped: "fetch('/here')"
            }
        let pages = RecordingPages { request in
            request.path == "/" ? RecordingPages.page("<script>\(body)</script>") : nil
        }
        let display = state == .manyTabs ? nil : try VirtualDisplay()
        try await ChromiumScene.run(pages, display: display) { browser in
            for _ in 0..<(state == .manyTabs ? 20 : 1) {
                try await browser.open("https://baton.invalid/")
                _ = await pages.request(to: "/here")
            }
            let processes = tree(of: browser.confinement.process.pid)
            #expect(processes.count > 3)
            let pinned = processes.compactMap(ProcessHandle.init(pid:))
            if state == .stopped { for pid in processes { kill(pid, SIGSTOP) } }
            #expect(await browser.end(limit: TimeLimit(.seconds(20))) == nil)
            for process in pinned { #expect(process.isGone) }
            await browser.confinement.untilGone()
        }
    }

    @Test func `a browser that was ended answers nothing and holds up nobody`() async throws {
        try await ChromiumScene.run(RecordingPages()) { browser in
            #expect(await browser.end(limit: TimeLimit(.seconds(20))) == nil)
            await #expect(throws: BrowserFault.gone) { try await browser.open("https://baton.invalid/") }
            #expect(await browser.sessionCookies(of: "https://baton.invalid/") == nil)
            #expect(await browser.logOut(at: "x", answer: "y", first: .seconds(50), whole: .seconds(50)) == .silent)
        }
    }

    @Test func `its own end is noticed`() async throws {
        try await ChromiumScene.run(RecordingPages()) { browser in
            try await browser.open("https://baton.invalid/")
            let chromium = try #require(browser as? Chromium)
            chromium.link.post(CloseBrowser())
            await browser.confinement.untilGone()
            await #expect(throws: BrowserFault.self) { try await browser.open("https://baton.invalid/") }
        }
    }

    @Test func `one whose pipe is closed ends by itself, as when the agent was killed`() async throws {
        // Longer than the browser, which would end with it as well.
        let display = try VirtualDisplay()
        let maker = await ChromiumScene.maker(display: display.display)
        let confinement = try await abandonedBrowser(maker)
        await confinement.untilGone()
        #expect(await confinement.end(limit: TimeLimit(.seconds(20))) == nil)
        withExtendedLifetime((display, maker)) {}
    }

    /// The pipe goes with the last who holds the browser.
    private func abandonedBrowser(_ maker: ChromiumMaker) async throws -> any Confinement {
        let pages = RecordingPages { _ in
            RecordingPages.page("<script>onbeforeunload = e => e.preventDefault()</script>")
        }
        let browser = try await maker.start(ChromiumScene.setup(), pages: pages)
        try await browser.open("https://baton.invalid/")
        _ = await pages.request(to: "/")
        return browser.confinement
    }
}
