import BatonContract
import BusTesting
import LinuxSystem
import Logging
import Testing
import Vocabulary

@testable import Agent
@testable import Browsers
@testable import Clearing

/// The browser of a terminal that nobody has signed in to.
@Suite(.timeLimit(.minutes(1))) struct FreeTerminalTests {
    private static let address = "https://baton.invalid"
    private static let page = "https://idp.test/authorize"
    private let maker = ScriptedMaker()

    private func browsers(
        hasSpare: Bool = false, leftAfter: Duration = .seconds(60), idle: Duration? = nil,
        startLimit: Duration = .seconds(60),
        left: AsyncStream<Void>.Continuation? = nil, said: AsyncStream<Bool>.Continuation? = nil
    ) -> KioskBrowsers {
        var settings = AgentConfiguration.ManagedBrowser()
        settings.address = Self.address
        settings.hasSpare = hasSpare
        settings.signInPages = ["https://adfs.test:443", "Login.Test"]
        settings.leftAfter = leftAfter
        settings.startLimit = startLimit
        return KioskBrowsers(
            maker: maker, settings: settings, setup: BrowserSetup(executable: "/x", address: Self.address),
            startPages: StartPageServer(address: Self.address), gate: TurnGate(),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            outside: .init(
                sessionEnded: { _ in }, signInLeft: { left?.yield() }, startPage: { said?.yield($0) }, idle: { idle }))
    }

    private func turn(_ epoch: Epoch) -> Turn { Turn(epoch: epoch, start: TurnStart()) }
    private func log(_ number: Int) -> [String] { maker.made.dropFirst(number).first?.log ?? [] }

    @Test func `a sign-in begins in a browser of its own, and the one before it is ended`() async throws {
        let browsers = browsers()
        await browsers.open()
        try await browsers.openSignIn(Self.page, again: false)
        let places = ["https://adfs.test", "login.test", "https://idp.test"]
        #expect(log(1) == ["limit \(BrowserReach.signIn(places))", "open \(Self.page)"])
        try await eventually { log(0).last == "end" }
        await browsers.begin(turn(1)).value
        #expect(log(1).contains("limit turn"))
    }

    @Test func `a second sign-in finds nothing of one that was given up`() async throws {
        let browsers = browsers()
        try await browsers.openSignIn(Self.page, again: false)
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        try await browsers.openSignIn(Self.page, again: false)
        #expect(log(0).last == "end")
        #expect(maker.made.count { $0.log.contains("open \(Self.page)") } == 2)
    }

    @Test(arguments: [Duration?.none, .seconds(90)])
    func `a sign-in at which nobody does anything is cancelled`(idle: Duration?) async throws {
        let (lefts, left) = AsyncStream.makeStream(of: Void.self)
        maker.script { $0.lastRequest = .now - .seconds(70) }
        let browsers = browsers(idle: idle, left: left)
        try await browsers.openSignIn(Self.page, again: false)
        for await _ in lefts { break }
        // batond may not know of it: the page does not stay for that.
        try await eventually { log(0).last == "end" }
        try await eventually { await browsers.front != nil }
    }

    @Test func `somebody who types at a sign-in is there, whatever the page does`() async throws {
        let (lefts, left) = AsyncStream.makeStream(of: Void.self)
        maker.script { $0.lastRequest = .now - .seconds(70) }
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        var settings = AgentConfiguration.ManagedBrowser()
        settings.address = Self.address
        settings.leftAfter = .seconds(60)
        settings.startLimit = .seconds(30)
        settings.hasSpare = true
        let browsers = KioskBrowsers(
            maker: maker, settings: settings, setup: BrowserSetup(executable: "/x", address: Self.address),
            startPages: StartPageServer(address: Self.address), gate: TurnGate(),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            outside: .init(
                sessionEnded: { _ in }, signInLeft: { left.yield() },
                idle: {
                    ask.yield()
                    return .seconds(1)
                }))
        try await browsers.openSignIn(Self.page, again: false)
        for await _ in asked { break }
        #expect(await browsers.closeSignIn(limit: TimeLimit(.seconds(5))))
        left.finish()
        for await _ in lefts { Issue.record("cancelled") }
    }

    @Test func `a sign-in whose page is gone is cancelled`() async throws {
        let (lefts, left) = AsyncStream.makeStream(of: Void.self)
        let browsers = browsers(left: left)
        try await browsers.openSignIn(Self.page, again: false)
        let instance = try #require(await browsers.front)
        await browsers.lost(instance.id)
        for await _ in lefts { break }
        #expect(log(0).last == "end")
    }

    @Test func `a start page that was closed is opened again, and one that does not come back has a successor`()
        async throws
    {
        let browsers = browsers()
        await browsers.open()
        let instance = try #require(await browsers.front)
        await browsers.lost(instance.id)
        #expect(log(0) == ["open \(Self.address)/", "open \(Self.address)/"])
        maker.made.first?.script { $0.opens = false }
        await browsers.lost(instance.id)
        #expect(log(0).last == "end")
        #expect(log(1) == ["open \(Self.address)/"])
    }

    @Test func `a worker who closes the last page gets it back in their own browser`() async throws {
        let browsers = browsers()
        await browsers.begin(turn(1)).value
        let instance = try #require(await browsers.front)
        await browsers.lost(instance.id)
        #expect(log(0).filter { $0.hasPrefix("open") }.count == 2)
        #expect(await browsers.front === instance)
    }

    @Test func `a browser that stood by and does not answer is replaced and no sign-out waits for its end`()
        async throws
    {
        // Its cookies are nil: it does not answer.
        let browsers = browsers(hasSpare: true)
        await browsers.begin(turn(1)).value
        try await eventually { maker.made.count >= 2 }
        maker.made.dropFirst().first?.script { $0.problem = "still there" }
        let rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(20))).rows
        #expect(!rows.contains { $0.outcome == .failed }, "\(rows)")
        #expect(log(1).last == "end")
    }

    @Test func `a browser that does not paint in its time is replaced, and what is on the screen is said`() async throws
    {
        let (words, said) = AsyncStream.makeStream(of: Bool.self)
        maker.script { $0.paints = false }
        let browsers = browsers(startLimit: .milliseconds(300), said: said)
        await browsers.open()
        await browsers.sayPage(isNews: true)
        maker.script { $0.paints = true }
        var heard: [Bool] = []
        for await word in words {
            heard.append(word)
            if word { break }
        }
        #expect(heard == [false, true])
        #expect(log(0).last == "end")
        #expect(log(1) == ["open \(Self.address)/"])
    }

    @Test func `a supervisor that came in a turn is told after it that the start page is back`() async throws {
        let (words, said) = AsyncStream.makeStream(of: Bool.self)
        let browsers = browsers(said: said)
        await browsers.open()
        var heard = words.makeAsyncIterator()
        #expect(await heard.next() == true)
        await browsers.begin(turn(1)).value
        await browsers.sayPage(isNews: true)
        _ = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(20)))
        #expect(await heard.next() == true)
    }

    @Test(arguments: [true, false])
    func `a start page that does not come within its sign-out comes after it`(_ starts: Bool) async throws {
        let (words, said) = AsyncStream.makeStream(of: Bool.self)
        let browsers = browsers(startLimit: .milliseconds(300), said: said)
        await browsers.begin(turn(1)).value
        if starts { maker.script { $0.paints = false } } else { maker.fail(.max) }
        let rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(1))).rows
        #expect(rows.contains { $0.name == "start-page" && $0.outcome == .failed }, "\(rows)")
        maker.script { $0.paints = true }
        maker.fail(0)
        for await isShown in words where isShown { break }
        #expect(await browsers.front != nil)
    }

    @Test func `a start page that came too late for its sign-out is there for the next try`() async throws {
        let browsers = browsers()
        await browsers.begin(turn(1)).value
        maker.script { $0.paints = false }
        var rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.milliseconds(300))).rows
        #expect(rows.contains { $0.name == "start-page" && $0.outcome == .failed }, "\(rows)")
        // As on a machine where each takes longer than a sign-out may.
        let late = try #require(maker.made.last)
        await late.paint()
        rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.milliseconds(300))).rows
        #expect(rows.contains(HolderReport("start-page", .clean, "painted")), "\(rows)")
        #expect(!late.log.contains("end"))
        // It is that of the next worker, with whom it goes.
        await browsers.begin(turn(2)).value
        maker.script { $0.paints = true }
        _ = await browsers.signOut(nil, of: 2, limit: TimeLimit(.seconds(20)))
        #expect(late.log.last == "end")
    }

    @Test func `a start page that was there before the turn is news after a sign-out that missed it`() async throws {
        let (words, said) = AsyncStream.makeStream(of: Bool.self)
        let browsers = browsers(said: said)
        await browsers.open()
        var heard = words.makeAsyncIterator()
        #expect(await heard.next() == true)
        // It came between the end of its time and the answer.
        await browsers.sayPage(wasMissed: true)
        #expect(await heard.next() == false)
        #expect(await heard.next() == true)
    }

    @Test func `a start page that hangs leaves time for another`() async throws {
        let browsers = browsers()
        await browsers.begin(turn(1)).value
        maker.script { $0.paints = false }
        async let rows = browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(20))).rows
        try await eventually { maker.made.count >= 2 }
        maker.script { $0.paints = true }
        #expect(await rows.contains(HolderReport("start-page", .clean, "painted")))
        #expect(log(1).last == "end")
    }
}
