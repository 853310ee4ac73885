import Agent
import Clearing
import ClearingTesting
import Glibc
import LinuxSystem
import Logging
import Synchronization
import Testing
import Vocabulary

/// A supervisor's side of the link that notes what it is told and misbehaves on demand.
private final class FakeLink: SupervisorLink {
    struct State {
        var connections: [String: ConnectionCredentials] = [":1.1": .init(user: getuid(), pid: 1)]
        var refusals = 0
        var deaf = false
        var journalID = "first"
        var journalBefore: String?
        var watching: [Instance] = []
    }

    let state = Mutex(State())
    private let events: AsyncStream<String>
    private let news: AsyncStream<String>.Continuation

    struct Refused: Error {}

    init() {
        (events, news) = AsyncStream.makeStream(of: String.self)
    }

    /// The next thing that it was told.
    func next() async -> String? {
        for await event in events { return event }
        return nil
    }

    func credentials(of connection: String) async throws -> ConnectionCredentials? {
        state.withLock { $0.connections[connection] }
    }

    func journal() async throws -> SupervisorJournal {
        state.withLock { SupervisorJournal($0.journalID, before: $0.journalBefore) }
    }

    func register(watching: [Instance]) async throws -> SupervisorJournal {
        let refused = state.withLock { state in
            state.refusals -= 1
            return state.refusals >= 0
        }
        news.yield(refused ? "refused" : "registered")
        if refused { throw Refused() }
        state.withLock { $0.watching = watching }
        return try await journal()
    }

    func processExited(_ instance: Instance) async throws {
        let deaf = state.withLock(\.deaf)
        news.yield(deaf ? "unheard \(instance)" : "exited \(instance)")
        if deaf { throw Refused() }
    }
}

/// Keeps what is logged.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock(\.self) }

    struct Handler: LogHandler {
        let lines: Lines
        var logLevel = Logger.Level.info
        var metadata: Logger.Metadata = [:]
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.level): \(event.message)") } }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct `The agent` {
    private let link = FakeLink()
    private let agent: Agent
    private let lines: Lines

    init() throws {
        let lines = Lines()
        self.lines = lines
        agent = Agent(
            link: link, watch: try #require(ProcessWatch()), expectedUser: getuid(),
            logger: Logger(label: "test") { _ in Lines.Handler(lines: lines) }, retry: .milliseconds(1))
    }

    private func app(_ connection: String, _ script: String = "exec sleep 1000") throws -> ScriptProcess {
        let child = try ScriptProcess(script)
        link.state.withLock {
            $0.connections[connection] = ConnectionCredentials(user: getuid(), pid: UInt32(child.pid))
        }
        return child
    }

    /// Runs the agent while the body works.
    private func running(_ body: () async throws -> Void) async throws {
        async let _ = agent.run()
        try await body()
    }

    @Test func `registers with the owner of the supervisor's name and answers only to it`() async throws {
        #expect(await !agent.isSupervisor(":1.1"))
        await agent.supervisorChanged(to: ":1.1")
        #expect(await link.next() == "registered")
        #expect(await agent.isSupervisor(":1.1"))
        #expect(await !agent.isSupervisor(":1.2"))
        await agent.supervisorChanged(to: nil)
        #expect(await !agent.isSupervisor(":1.1"))
    }

    @Test func `an owner of another user is no supervisor`() async throws {
        link.state.withLock { $0.connections[":1.1"] = ConnectionCredentials(user: getuid() + 1, pid: 1) }
        await agent.supervisorChanged(to: ":1.1")
        #expect(await !agent.isSupervisor(":1.1"))
    }

    @Test func `an owner without credentials is no supervisor`() async throws {
        await agent.supervisorChanged(to: ":1.9")
        #expect(await !agent.isSupervisor(":1.9"))
    }

    @Test func `a refused registration is tried again`() async throws {
        link.state.withLock { $0.refusals = 2 }
        await agent.supervisorChanged(to: ":1.1")
        for event in ["refused", "refused", "registered"] { #expect(await link.next() == event) }
        // Told once, and not for each try: on a bus that lets nothing through they go on for hours.
        #expect(lines.all.count { $0.hasPrefix("warning: ") } == 1, "\(lines.all)")
    }

    @Test func `a supervisor with another journal gets another agent`() async throws {
        await agent.supervisorChanged(to: ":1.1")
        #expect(await link.next() == "registered")
        // The same one after a restart is served on.
        await agent.supervisorChanged(to: nil)
        await agent.supervisorChanged(to: ":1.1")
        #expect(await link.next() == "registered")
        #expect(await agent.isSupervisor(":1.1"))
        link.state.withLock { $0.journalID = "second" }
        await agent.supervisorChanged(to: nil)
        await agent.supervisorChanged(to: ":1.1")
        await agent.untilOutlived()
        #expect(await !agent.isSupervisor(":1.1"))
    }

    @Test func `news of an earlier owner that come late change nothing`() async throws {
        await agent.supervisorChanged(to: ":1.1")
        let agent = agent
        let late = Task {
            // Cancelled before it begins, as the news after it do.
            while !Task.isCancelled { await Task.yield() }
            await agent.supervisorChanged(to: nil)
        }
        late.cancel()
        await late.value
        #expect(await agent.isSupervisor(":1.1"))
    }

    @Test func `the end of a watched process is told`() async throws {
        try await running {
            await agent.supervisorChanged(to: ":1.1")
            #expect(await link.next() == "registered")
            let child = try app(":1.5")
            #expect(await agent.watchProcess(instance: 3, connection: ":1.5", pid: UInt32(child.pid)))
            #expect(await agent.watchProcess(instance: 4, connection: ":1.5", pid: UInt32(child.pid)))
            kill(child.pid, SIGKILL)
            #expect(await link.next() == "exited 3")
            #expect(await link.next() == "exited 4")
        }
    }

    @Test func `a pid that is not the connection's, or a connection that left, is not watched`() async throws {
        let child = try app(":1.5")
        let pid = UInt32(child.pid)
        #expect(await !agent.watchProcess(instance: 3, connection: ":1.5", pid: UInt32(getpid())))
        #expect(await !agent.watchProcess(instance: 3, connection: ":1.6", pid: pid))
        #expect(await !agent.watchProcess(instance: 3, connection: ":1.5", pid: 0))
        #expect(await !agent.watchProcess(instance: 3, connection: ":1.5", pid: .max))
    }

    @Test func `an end that nobody heard is told after registering again`() async throws {
        try await running {
            await agent.supervisorChanged(to: ":1.1")
            #expect(await link.next() == "registered")
            let (first, second) = (try app(":1.5"), try app(":1.6"))
            #expect(await agent.watchProcess(instance: 3, connection: ":1.5", pid: UInt32(first.pid)))
            #expect(await agent.watchProcess(instance: 4, connection: ":1.6", pid: UInt32(second.pid)))
            link.state.withLock { $0.deaf = true }
            kill(first.pid, SIGKILL)
            #expect(await link.next() == "unheard 3")
            await agent.supervisorChanged(to: nil)
            link.state.withLock { $0.deaf = false }
            await agent.supervisorChanged(to: ":1.1")
            #expect(await link.next() == "registered")
            #expect(await link.next() == "exited 3")
            #expect(await agent.watchProcess(instance: 4, connection: "gone", pid: 0))
            kill(second.pid, SIGKILL)
            #expect(await link.next() == "exited 4")
            // Asked about it once more, the agent says once more how it ended.
            #expect(await agent.watchProcess(instance: 4, connection: "gone", pid: 0))
            #expect(await link.next() == "exited 4")
        }
    }

    @Test func `contains the processes of registrations, dead ones' orphans too`() async throws {
        let (first, second) = (try app(":1.5"), try app(":1.6", "sleep 1000 & echo $!; wait"))
        let orphan = try second.printedProcess()
        #expect(await agent.watchProcess(instance: 3, connection: ":1.5", pid: UInt32(first.pid)))
        #expect(await agent.watchProcess(instance: 4, connection: ":1.6", pid: UInt32(second.pid)))
        kill(second.pid, SIGKILL)
        awaitEnd(of: second.process)
        let report = await agent.contain(instances: [3, 4], wipes: nil, limit: TimeLimit(.seconds(60)))
        #expect(report == ContainmentReport(outcome: .stopped, proof: .pid, explanation: ""))
        #expect(first.process.isGone && orphan.isGone)
    }

    @Test func `a registration that was never watched is no proven containment`() async throws {
        let report = await agent.contain(instances: [9], wipes: [], limit: TimeLimit(.seconds(60)))
        #expect(report.outcome == .failed && report.explanation == "not watched: registration 9")
    }
}
