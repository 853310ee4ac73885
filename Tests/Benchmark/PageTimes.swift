import Baton
import BatonContract
import BusTesting
import DBus
import FolderTesting
import Glibc
import KioskTesting
import TerminalTesting

/// How soon the start page is there, and what happens in it, as the page itself tells. Its Chromium has a port for that.
struct PageTimes {
    let rounds: Int

    private var reached = Timings("the signal SignedIn, until the page has the worker", target: .milliseconds(50))
    private var painted = Timings(
        "first paint of the start page, after its browser has answered", target: .milliseconds(100))
    private var own = Timings("  of that, since the browser went to the page")
    private var emptyOwn = Timings("  of that, since it went to the page")
    private var empty = Timings("  an empty page's in a browser like that, which is asked for it when it has answered")

    init(rounds: Int) { self.rounds = rounds }

    var all: [Timings] { [reached, painted, own, empty, emptyOwn] }

    /// The page's own time, in milliseconds since 1970, when it begins to show who holds the device.
    private static let arrival = """
        window.arrival = new Promise(done => { const part = document.getElementById('leaving'); new MutationObserver(() => { \
        if (!part.hidden) done(performance.timeOrigin + performance.now()); }).observe(part, { attributes: true }); }); 0
        """

    /// The browser is the one that comes when a turn has ended, where none stands by. It has answered when its port of DevTools takes
    /// a connection.
    mutating func run() async throws {
        let page = AgentPage()
        let kiosk = try await LocalKiosk.start(hasSpare: false, browser: page.settings)
        try await kiosk.settle()
        var last = try Self.words(try await page.ask("appear"), 4)[0]
        for _ in 1...rounds {
            try await kiosk.settle()
            try await signIn(on: kiosk, page)
            try await kiosk.settle()
            let other = last
            async let told = page.ask("appear", other)
            try await kiosk.signOut()
            let words = try Self.words(try await told, 4)
            last = words[0]
            painted.add(try Self.span(words[1], words[2]))
            own.add(try Self.span("0", words[3]))
            let alone = try Self.words(try await emptyPage(on: kiosk.display), 3)
            empty.add(try Self.span(alone[0], alone[1]))
            emptyOwn.add(try Self.span("0", alone[2]))
        }
    }

    private mutating func signIn(on kiosk: LocalKiosk, _ page: AgentPage) async throws {
        _ = try await page.value(of: Self.arrival)
        var ins = try await kiosk.peer.signals(Device1.signedIn).makeAsyncIterator()
        async let signingIn: Void = kiosk.signIn()
        _ = try await ins.next()
        let start = Self.now()
        try await signingIn
        reached.add(try Self.span("\(start)", try await page.value(of: "window.arrival")))
    }

    /// Milliseconds since 1970.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    private func emptyPage(on display: VirtualDisplay) async throws -> String {
        let home = try TemporaryFolder("empty")
        let page = AgentPage()
        let browser = try PipedChromium(
            home: home.path, display: display.display,
            arguments: ["--remote-debugging-port=\(page.port)", "--no-startup-window", "--kiosk"])
        let told = try await page.ask("empty")
        try await browser.close()
        return told
    }

    private static func words(_ text: String, _ count: Int) throws -> [String] {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == count else { throw TestingError("not \(count) words: \(text)") }
        return words
    }

    private static func span(_ start: String, _ end: String) throws -> Duration {
        guard let start = Double(start), let end = Double(end) else { throw TestingError("no times: \(start), \(end)") }
        return .milliseconds(end - start)
    }
}
