import BatonContract
import BusTesting
import LinuxSystem
import Logging
import Processes
import Testing
import TurnControl
import Vocabulary

@testable import Agent
@testable import Browsers
@testable import Clearing

/// Browsers that run as the users of turns.
@Suite(.timeLimit(.minutes(1))) struct TurnBrowsersTests {
    private static let address = "https://baton.invalid"
    private let maker = ScriptedMaker()
    private let users = TurnUserChoice()
    private let browsers: KioskBrowsers
    private let numbers: [TurnNumber]

    init() throws {
        (numbers, browsers) = (TurnNumber.all, Self.browsers(maker, users, isIsolated: false))
    }

    private static func browsers(
        _ maker: ScriptedMaker, _ users: TurnUserChoice, isIsolated: Bool, hasSpare: Bool = false
    ) -> KioskBrowsers {
        users.configure(isNeeded: true)
        var settings = AgentConfiguration.ManagedBrowser()
        settings.address = Self.address
        settings.hasTurnUser = true
        settings.leftAfter = .seconds(60)
        settings.startLimit = .seconds(30)
        settings.hasSpare = hasSpare
        return KioskBrowsers(
            maker: maker, settings: settings, setup: BrowserSetup(executable: "/x", address: Self.address),
            startPages: StartPageServer(address: Self.address), gate: TurnGate(), users: users,
            isIsolated: isIsolated,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, outside: .init(sessionEnded: { _ in }))
    }

    private func begin(_ epoch: Epoch, as user: TurnNumber?) async {
        var turn = Turn(epoch: epoch, start: TurnStart())
        turn.user = user
        users.begin(user)
        await browsers.begin(turn).value
    }

    private func prepare(_ user: TurnNumber) async {
        users.prepare(user)
        await browsers.renew(for: user)
    }

    @Test func `none is started before batond has said as whom`() async throws {
        let opening = Task { await browsers.open() }
        await #expect(throws: LaunchFault.self) { try await users.user(within: .milliseconds(50)) }
        #expect(maker.made.isEmpty)
        users.prepare(numbers[3])
        await opening.value
        #expect(maker.users == [numbers[3]])
    }

    @Test func `where turns have no users each runs as the agent's own`() async throws {
        users.configure(isNeeded: false)
        users.prepare(numbers[3])
        #expect(try await users.user(within: .seconds(1)) == nil)
    }

    @Test func `the start page's browser becomes the worker's, and the next turn's page is another user's`()
        async throws
    {
        await prepare(numbers[3])
        await begin(1, as: numbers[3])
        #expect(maker.users == [numbers[3]])
        users.end()
        let rows = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5))).rows
        #expect(rows.map(\.name) == ["provider-page", "browser", "start-page"])
        #expect(rows.map(\.outcome) == [.unchecked, .clean, .unchecked])
        // Nothing is shown before the slice has ended, and batond says who comes next.
        #expect(maker.made.count == 1)
        #expect(maker.made.first?.log.last == "end")
        await prepare(numbers[4])
        #expect(maker.users == [numbers[3], numbers[4]])
        #expect(maker.made.last?.log == ["open \(Self.address)/"])
    }

    @Test func `a page of another user than the turn's is not handed to the worker`() async throws {
        await prepare(numbers[3])
        await begin(1, as: numbers[5])
        #expect(maker.users == [numbers[3], numbers[5]])
        try await eventually { maker.made.first?.log.last == "end" }
    }

    @Test func `another user for the next turn replaces what stood ready, but nothing of a worker's`() async throws {
        await prepare(numbers[3])
        await prepare(numbers[4])
        #expect(maker.users == [numbers[3], numbers[4]])
        try await eventually { maker.made.first?.log.last == "end" }
        await begin(1, as: numbers[4])
        await prepare(numbers[5])
        #expect(maker.users == [numbers[3], numbers[4]])
        #expect(maker.made.last?.log.last != "end")
    }

    /// A worker holds the device as the first user, and batond has said who comes next.
    private func inUse(isIsolated: Bool, _ work: (KioskBrowsers) async throws -> Void) async throws {
        let browsers = Self.browsers(maker, users, isIsolated: isIsolated, hasSpare: true)
        maker.script { $0.cookies = [] }
        users.prepare(numbers[1])
        await browsers.renew(for: numbers[1])
        var turn = Turn(epoch: 1, start: TurnStart())
        turn.user = numbers[1]
        users.begin(numbers[1])
        await browsers.begin(turn).value
        users.prepare(numbers[2], beside: true)
        await browsers.standBy()
        try await work(browsers)
        await browsers.close()
    }

    @Test func `on a display that isolates programs the next worker's browser stands by beside a worker, unseen`()
        async throws
    {
        try await inUse(isIsolated: true) { browsers in
            try await eventually { maker.users.last == numbers[2] }
            #expect(maker.made.last?.log == [])
            // A worker who proves themselves again does not get it.
            try await browsers.openSignIn("https://provider.invalid/", again: true)
            #expect(maker.users.last == numbers[1])
            users.end()
            _ = await browsers.signOut(nil, of: 1, limit: TimeLimit(.seconds(5)))
            // The turn's slice has ended.
            users.prepare(numbers[2])
            let started = maker.users
            await browsers.renew(for: numbers[2])
            #expect(maker.users.prefix(started.count) == started[...])
            let next = maker.made[started.lastIndex(of: numbers[2]) ?? 0]
            #expect(next.log == ["cookies", "open \(Self.address)/"])
        }
    }

    @Test func `under the cover its page is opened before the turn's slice has ended, unless another user comes next`()
        async throws
    {
        try await inUse(isIsolated: true) { browsers in
            try await eventually { maker.users.last == numbers[2] }
            try await eventually { await browsers.spare?.user == numbers[2] }
            users.end()
            _ = await browsers.signOut(nil, of: 1, isCovered: true, limit: TimeLimit(.seconds(5)))
            try await eventually { await browsers.front?.user == numbers[2] }
            let early = try #require(await browsers.front)
            // What it left is not the next worker's: batond has passed over that user.
            users.prepare(numbers[3])
            await browsers.renew(for: numbers[3])
            #expect(await browsers.front?.user == numbers[3])
            try await eventually { (early.browser as? ScriptedBrowser)?.log.last == "end" }
        }
    }

    @Test func `on another display nothing of the next worker's is there beside a worker`() async throws {
        try await inUse(isIsolated: false) { browsers in
            await browsers.standBy()
            #expect(!maker.users.contains(numbers[2]))
        }
    }

    @Test func `an agent that comes in the middle of a turn starts nothing as the next one's user`() async throws {
        users.prepare(numbers[2], beside: true)
        await #expect(throws: LaunchFault.self) { try await users.user(within: .milliseconds(50)) }
        users.begin(numbers[1])
        #expect(try await users.user(within: .seconds(1)) == numbers[1])
        // The turn's programs may still run.
        users.end()
        await #expect(throws: LaunchFault.self) { try await users.user(within: .milliseconds(50)) }
        users.prepare(numbers[2])
        #expect(try await users.user(within: .seconds(1)) == numbers[2])
    }

    @Test func `what is started in a turn runs as its user, also when the next one's is known`() async throws {
        users.prepare(numbers[1])
        users.begin(numbers[1])
        users.prepare(numbers[2])
        #expect(users.onDisplay == numbers[1])
        #expect(try await users.user(within: .seconds(1)) == numbers[1])
        users.end()
        #expect(users.onDisplay == numbers[2])
        #expect(try await users.user(within: .seconds(1)) == numbers[2])
    }
}
