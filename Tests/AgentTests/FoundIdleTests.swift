import BatonContract
import BusTesting
import Display
import FolderTesting
import LinuxSystem
import Synchronization
import Testing
import Vocabulary

@testable import Agent
@testable import Clearing

/// Sources of idleness that come, go and change in a turn.
@Suite(.timeLimit(.minutes(1))) struct FoundIdleTests {
    /// A session whose source a test ends and replaces.
    private final class Session: Sendable {
        private struct State {
            var source: IdleSource
            var searches = 0
            var reports: [@Sendable (IdleWatch.Event) -> Void] = []
            var ends: [AsyncStream<Void>.Continuation] = []
        }

        private let state: Mutex<State>

        init(_ source: IdleSource) { state = Mutex(State(source: source)) }

        /// How often it was asked what it has.
        var searches: Int { state.withLock(\.searches) }

        func find() -> FoundIdle {
            let source = state.withLock {
                $0.searches += 1
                return $0.source
            }
            guard source != .nothing else { return FoundIdle() }
            return FoundIdle(source: source, idle: { .seconds(5) }) { _, _ in
                IdleWatch { report in
                    let (over, end) = AsyncStream.makeStream(of: Void.self)
                    self.state.withLock {
                        $0.reports.append(report)
                        $0.ends.append(end)
                    }
                    for await _ in over {}
                }
            }
        }

        /// How often idleness was watched.
        var watches: Int { state.withLock(\.reports.count) }

        func report(_ event: IdleWatch.Event) { state.withLock(\.reports).last?(event) }

        /// What there is ends, if it was watched.
        func become(_ source: IdleSource) {
            state.withLock {
                $0.source = source
                $0.ends.last?.finish()
            }
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("idle") }

    private func kiosk(_ session: Session, _ heard: NoLink.Heard) async -> Kiosk {
        var link = NoLink()
        link.heard = heard
        let kiosk = Kiosk.scripted(in: folder.path, link: link) { $0.findIdle = { _ in session.find() } }
        _ = await kiosk.configure(Self.configuration)
        return kiosk
    }

    private static var configuration: AgentConfiguration {
        var configuration = AgentConfiguration()
        configuration.idleAfter = .seconds(120)
        return configuration
    }

    @Test func `a source that vanishes is replaced, and the device was not idle meanwhile`() async throws {
        let (session, heard) = (Session(.mutter), NoLink.Heard())
        let kiosk = await kiosk(session, heard)
        #expect(await kiosk.state?.idle == .mutter)
        #expect(await kiosk.state?.warnings.contains { $0.contains("a video") } == true)
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        try await eventually { session.watches == 1 }
        session.report(.idle(since: 7))
        try await eventually { heard.idle == [7] }
        session.become(.screenSaver)
        try await eventually { session.watches == 2 }
        #expect(heard.idle == [7, nil])
        #expect(heard.states.map(\.idle) == [.screenSaver])
        #expect(heard.states.first?.warnings.contains { $0.contains("a video") } == false)
        session.report(.idle(since: 9))
        try await eventually { heard.idle == [7, nil, 9] }
        // With none left, the next turn is warned of, and goes on looking.
        session.become(.nothing)
        try await eventually { heard.states.count == 2 }
        #expect(heard.states.last?.warnings.contains { $0.contains("idle workers are not signed out") } == true)
        session.become(.idleNotify)
        try await eventually { session.watches == 3 }
        #expect(await kiosk.foundIdle.idle() == .seconds(5))
    }

    @Test func `one that was not there when the agent started is found when a turn begins`() async throws {
        let (session, heard) = (Session(.nothing), NoLink.Heard())
        let kiosk = await kiosk(session, heard)
        #expect(await kiosk.state?.idle == .nothing)
        #expect(await kiosk.state?.warnings.count == 1)
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        try await eventually { session.searches == 2 }
        session.become(.inputIdleNotify)
        await kiosk.begin(Turn(epoch: 2, start: TurnStart()))
        try await eventually { session.watches == 1 }
        #expect(heard.states.map(\.idle) == [.inputIdleNotify])
        #expect(heard.states.last?.warnings.isEmpty == true)
    }

    @Test func `one that settings find in the middle of a turn is watched in it`() async throws {
        let (session, heard) = (Session(.nothing), NoLink.Heard())
        let kiosk = await kiosk(session, heard)
        await kiosk.begin(Turn(epoch: 1, start: TurnStart()))
        try await eventually { session.searches == 2 }
        session.become(.mutter)
        #expect(await kiosk.configure(Self.configuration).idle == .mutter)
        try await eventually { session.watches == 1 }
        session.report(.idle(since: 7))
        try await eventually { heard.idle == [7] }
    }
}
