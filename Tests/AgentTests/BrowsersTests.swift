import BatonContract
import BusTesting
import LinuxSystem
import Logging
import Sandbox
import Testing
import Vocabulary

@testable import Agent
@testable import Browsers
@testable import Clearing

@Suite(.timeLimit(.minutes(1))) struct BrowsersTests {
    static let address = "https://baton.invalid"
    let maker: ScriptedMaker
    let browsers: KioskBrowsers
    let ends: AsyncStream<Epoch>
    let left: AsyncStream<Void>

    init() {
        let maker = ScriptedMaker()
        let (ends, end) = AsyncStream.makeStream(of: Epoch.self)
        self.maker = maker
        self.ends = ends
        let (left, leave) = AsyncStream.makeStream(of: Void.self)
        self.left = left
        browsers = Self.browsers(
            maker,
            outside: .init(sessionEnded: { end.yield($0) }, signInLeft: { leave.yield() }))
    }

    private static func browsers(
        _ maker: ScriptedMaker, hasSpare: Bool = false, startPage: String = "",
        leftAfter: Duration = .seconds(60), outside: KioskBrowsers.Outside = .init(sessionEnded: { _ in })
    ) -> KioskBrowsers {
        var settings = AgentConfiguration.ManagedBrowser()
        settings.address = address
        settings.hasSpare = hasSpare
        settings.startPage = startPage
        settings.signInPages = ["https://adfs.test", "Login.Test"]
        settings.leftAfter = leftAfter
        settings.startLimit = .seconds(30)
        return KioskBrowsers(
            maker: maker, settings: settings, setup: BrowserSetup(executable: "/x", address: address),
            startPages: StartPageServer(address: address), gate: TurnGate(),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            outside: outside)
    }

    private func turn(_ epoch: Epoch) -> Turn {
        var turn = Turn(epoch: epoch, start: TurnStart())
        turn.endSession = "https://idp.test/end"
        turn.issuer = "https://idp.test"
        return turn
    }

    @Test func `a sign-out ends the worker's browser and shows the start page in another`() async throws {
        await browsers.begin(turn(1)).value
        let rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5))).rows
        #expect(rows.map(\.outcome) == [.unchecked, .clean, .clean])
        #expect(maker.made.count == 2)
        #expect(maker.made.first?.log.last == "end")
        #expect(maker.made.last?.log == ["open \(Self.address)/"])
    }

    @Test func `a turn that begins after its end was asked for leaves nothing open`() async throws {
        try await browsers.openSignIn("https://idp.test/sign-in", again: false)
        _ = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5)))
        await browsers.begin(turn(1)).value
        // The next worker's sign-in is given up, and its browser goes with it.
        try await browsers.openSignIn("https://idp.test/sign-in", again: false)
        let before = maker.made.count
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        #expect(maker.made[before - 1].log.last == "end")
        try await eventually { maker.made.count > before }
    }

    @Test func `a browser that does not end fails the sign-out until it does`() async throws {
        await browsers.begin(turn(1)).value
        maker.made.first?.script { $0.problem = "still there" }
        let first = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5))).rows
        #expect(first.contains(HolderReport("browser", .failed, "still there")))
        maker.made.first?.script { $0.problem = nil }
        let second = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5))).rows
        #expect(!second.contains { $0.outcome == .failed })
    }

    @Test func `a start page that cannot be opened fails the sign-out`() async throws {
        await browsers.begin(turn(1)).value
        maker.fail(.max)
        // It gives up after three seconds: there is no time for another try then.
        let rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5))).rows
        #expect(rows.contains(HolderReport("start-page", .failed, "no browser could be started")))
    }

    @Test func `a browser that does not come up has a successor in the same sign-out`() async throws {
        await browsers.begin(turn(1)).value
        maker.fail(1)
        let rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(20))).rows
        #expect(rows.contains(HolderReport("start-page", .clean, "painted")))
    }

    @Test func `a browser that ends before its start page stands has a successor in the same sign-out`() async throws {
        await browsers.begin(turn(1)).value
        maker.script { $0.paints = false }
        async let rows = browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(20))).rows
        try await eventually { maker.made.count >= 2 }
        maker.script { $0.paints = true }
        // In front, and not on its way there, where nobody would miss it.
        try await eventually { await browsers.front != nil }
        maker.made.last?.close()
        #expect(await rows.contains(HolderReport("start-page", .clean, "painted")))
    }

    @Test func `ended with pid as the only proof is a failure`() async throws {
        maker.script { $0.proof = .pid }
        await browsers.begin(turn(1)).value
        let rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5))).rows
        #expect(rows.contains { $0.name == "browser" && $0.outcome == .failed })
    }

    @Test func `a cookie that disappears ends the turn`() async throws {
        maker.script { $0.cookies = ["SESSION"] }
        await browsers.begin(turn(7)).value
        // The first look has to have happened before the cookie goes.
        try await eventually { maker.made.first?.log.contains("cookies") == true }
        maker.made.first?.script { $0.cookies = [] }
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == 7)
    }

    @Test func `a turn that goes on keeps the worker's page`() async throws {
        let page = "https://intranet.test/"
        let browsers = Self.browsers(maker, startPage: page)
        await browsers.begin(turn(1)).value
        await browsers.begin(turn(1)).value
        #expect(maker.made.first?.log.count { $0 == "open \(page)" } == 1)
        await browsers.begin(turn(2)).value
        #expect(maker.made.first?.log.count { $0 == "open \(page)" } == 2)
    }

    @Test func `a browser that stood by and ended is replaced`() async throws {
        let browsers = Self.browsers(maker, hasSpare: true)
        await browsers.open()
        try await eventually { maker.made.count >= 2 }
        let spare = try #require(maker.made.last)
        spare.close()
        try await eventually { maker.made.count >= 3 }
        #expect(await browsers.front?.browser.confinement.process === maker.made.first?.process)
    }

    @Test func `a failed sign-in leaves no browser in which it took place`() async throws {
        try await browsers.openSignIn("https://idp.test/authorize", again: false)
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        #expect(maker.made.first?.log.last == "end")
        try await eventually { maker.made.count >= 2 }
    }

    @Test func `who gives up a sign-in does not wait for the next browser, which is tried until it comes`() async throws
    {
        try await browsers.openSignIn("https://idp.test/authorize", again: false)
        maker.fail(2)
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        try await eventually { await browsers.front != nil }
        #expect(maker.made.count == 2)
    }

    @Test(arguments: [false, true])
    func `a sign-in that is given up while its browser comes up opens no page any more`(again: Bool) async throws {
        let page = "https://idp.test/authorize"
        maker.hold()
        let opening = Task { try await browsers.openSignIn(page, again: again) }
        try await eventually { maker.held > 0 }
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        maker.letGo()
        await #expect(throws: BrowserFault.self) { try await opening.value }
        try await eventually { await browsers.front != nil }
        #expect(!maker.made.contains { $0.log.contains("open \(page)") })
    }

    @Test func `a free device whose browser ends and does not start has one in the end`() async throws {
        await browsers.open()
        maker.fail(2)
        maker.made.first?.close()
        try await eventually { maker.made.count >= 2 }
        try await eventually { await browsers.front != nil }
    }

    @Test func `a sign-in that succeeded leaves its browser to the worker`() async throws {
        try await browsers.openSignIn("https://idp.test/authorize", again: false)
        await browsers.begin(turn(1)).value
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        #expect(maker.made.count == 1)
        #expect(maker.made.first?.log.contains("end") == false)
    }

    @Test func `the holder proves themselves again in a browser of its own, which is ended`() async throws {
        await browsers.begin(turn(1)).value
        try await browsers.openSignIn("https://idp.test/authorize", again: true)
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        #expect(maker.made.count == 2)
        #expect(maker.made.first?.log.contains("end") == false)
        #expect(maker.made.last?.log.last == "end")
    }

    @Test func `the worker's browser that crashes is replaced and watched again`() async throws {
        await browsers.begin(turn(1)).value
        maker.made.first?.close()
        // The second one, not the last: one that stands by may come after it.
        try await eventually { maker.made.dropFirst().first?.log.contains("watch https://idp.test/end") == true }
        #expect(await browsers.front?.browser.confinement.process === maker.made.dropFirst().first?.process)
    }
}
