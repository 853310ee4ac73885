import Browsers
import FolderTesting
import Glibc
import KioskTesting
import LinuxSystem
import Sandbox
import Testing

extension FirefoxTests {
    @Suite struct EndTests {
        enum Trouble: String, CaseIterable, Sendable {
            case alert = "alert('stay')"
            case beforeunload = "onbeforeunload = e => e.preventDefault()"
            case endless = "for (;;) {}"
            case stopped = ""
        }

        @Test(arguments: Trouble.allCases) func `it ends with everything of it, whatever it does`(_ trouble: Trouble)
            async throws
        {
            let pages = RecordingPages { request in
                guard request.path == "/" else { return nil }
                return RecordingPages.page("<script>fetch('/there').then(() => { \(trouble.rawValue) })</script>")
            }
            let began = ContinuousClock.now
            let browser = try await FirefoxScene.maker().start(FirefoxScene.setup(), pages: pages)
            print("Firefox: ready after \(began.duration(to: .now))")
            try await browser.open("https://baton.invalid/")
            _ = await pages.request(to: "/there")
            let all = tree(of: browser.confinement.process.pid)
            #expect(all.count > 2)
            if trouble == .stopped { for pid in all { kill(pid, SIGSTOP) } }
            let ending = ContinuousClock.now
            #expect(await browser.end(limit: TimeLimit(.seconds(30))) == nil)
            print("Firefox: ended (\(trouble)) after \(ending.duration(to: .now))")
            #expect(all.filter { ProcessHandle(pid: $0) != nil } == [])
            #expect(await browser.end(limit: TimeLimit(.seconds(5))) == nil)
            await #expect(throws: BrowserFault.gone) { try await browser.open("https://baton.invalid/") }
            #expect(await browser.sessionCookies(of: "https://baton.invalid/") == nil)
        }

        /// The addresses on which programs of this user listen, this test itself excepted.
        private func listening() -> Set<Substring> {
            let own = Set(
                (0..<Int32(1024)).compactMap { number -> String? in
                    var status = stat()
                    return fstat(number, &status) == 0 ? "\(status.st_ino)" : nil
                })
            var result: Set<Substring> = []
            for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
                for line in (contents(path) ?? "").split(separator: "\n").dropFirst() {
                    let columns = line.split(separator: " ")
                    guard columns.count > 9, columns[3] == "0A", columns[7] == "\(geteuid())" else { continue }
                    if !own.contains(String(columns[9])) { result.insert(columns[1]) }
                }
            }
            return result
        }

        @Test func `nobody outside can reach its debugging port, and a page inside gets no session there`() async throws
        {
            let before = listening()
            let pages = RecordingPages { request in
                guard request.path == "/" else { return nil }
                return RecordingPages.page(
                    """
                    <script>
                    const socket = address => new Promise(done => {
                        const s = new WebSocket(address); s.onopen = () => done('open'); s.onerror = () => done('refused') })
                    const get = (address, mode) => fetch(address, {mode}).then(r => r.type + r.status, () => 'failed')
                    Promise.all([socket('ws://127.0.0.1:9222/session'), socket('ws://localhost:9222/session'),
                        get('http://127.0.0.1:9222/', 'cors'), get('http://127.0.0.1:9222/session', 'cors')])
                        .then(all => fetch('/tried?' + all.join()))
                    </script>
                    """)
            }
            try await FirefoxScene.run(pages) { browser in
                #expect(listening() == before)
                try await browser.open("https://baton.invalid/")
                #expect(
                    await pages.request(to: "/tried")?.url
                        == "https://baton.invalid/tried?refused,refused,failed,failed")
            }
        }
    }
}
