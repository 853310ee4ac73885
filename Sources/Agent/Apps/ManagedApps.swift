import BatonContract
import Checkpoints
import Clearing
import DBus
import LinuxSystem
import Logging
import Processes
import Sandbox
import TurnControl
import Vocabulary

/// The apps that the agent starts: each run in a sandbox of its own, made for one turn.
actor ManagedApps {
    /// Starts a program; true: in the strongest sandbox that this machine has, false: shut in without taking its files away.
    typealias Start = @Sendable (ConfinedProgram, Bool) async throws(LaunchFault) -> any Confinement

    private struct Run {
        var isSandboxed: Bool
        var confinement: any Confinement
    }

    /// A program that is just being started.
    private struct Beginning {
        let task: Task<String, Never>
        /// Whether it becomes a program of the turn's user: if it runs after all, it ends with the turn's slice.
        let endsWithTurn: Bool
    }

    private let start: Start
    let link: any DeviceLink
    private let home: String
    let log: Logger
    private var listed: [String: AgentConfiguration.ManagedApp] = [:]
    private(set) var desktop = AgentConfiguration.Desktop()
    /// What the turn's programs have in their environment: the worker's language.
    private(set) var turnEnvironment: [String: String] = [:]
    private(set) var turnKeyboard: KeyboardLayout?
    private var runs: [String: [Run]] = [:]
    private var starting: [UInt64: Beginning] = [:]
    private var starts: UInt64 = 0
    /// Of the whole session.
    nonisolated let gate = TurnGate()
    nonisolated let users = TurnUserChoice()
    /// Runs of one app at once; a worker's impatience must not fill the machine.
    private static let mostRuns = 4

    init(home: String, link: any DeviceLink, log: Logger, start: @escaping Start) {
        self.home = home
        self.link = link
        self.log = log
        self.start = start
    }

    func configure(_ apps: [AgentConfiguration.ManagedApp], desktop: AgentConfiguration.Desktop = .init()) {
        self.desktop = desktop
        listed = Dictionary(apps.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// For programs that are started from now on, until a turn has ended.
    ///
    /// - Parameter keyboard: Nil: the device's own.
    func setTurnEnvironment(_ environment: [String: String], keyboard: KeyboardLayout?) {
        turnEnvironment = environment
        turnKeyboard = keyboard
    }

    /// For the start page, by name.
    var offered: [PageState.App] {
        listed.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map {
            PageState.App(id: $0.id, name: $0.name, hasIcon: !$0.icon.isEmpty)
        }
    }

    func icon(of app: String) -> String { listed[app]?.icon ?? "" }

    // MARK: Starting

    func startAll(in turn: Epoch) async {
        for app in listed.values.sorted(by: { $0.id < $1.id }) where app.startsAtSignIn && running(app.id) == 0 {
            _ = await open(app.id, in: turn)
        }
    }

    func running(_ id: String) -> Int { runs[id]?.count ?? 0 }

    /// Starts an app for a turn; a line for the worker when it cannot.
    func open(_ id: String, in turn: Epoch) async -> String {
        guard let app = listed[id] else { return "There is no such app." }
        guard running(id) < Self.mostRuns else { return "\(app.name) runs already." }
        let endsWithTurn = app.isSandboxed && users.areNeeded
        return await start(in: turn, endsWithTurn: endsWithTurn) { await self.launch(id, app, turn) }
    }

    /// The turn may end meanwhile, and its end waits for this, unless the end of its slice ends what is started.
    func start(in turn: Epoch, endsWithTurn: Bool, _ work: @escaping @Sendable () async -> String) async -> String {
        guard gate.admits(turn) else { return "No worker is signed in." }
        let task = Task { await work() }
        starts &+= 1
        let number = starts
        starting[number] = Beginning(task: task, endsWithTurn: endsWithTurn)
        defer { starting[number] = nil }
        return await task.value
    }

    private func launch(_ id: String, _ app: AgentConfiguration.ManagedApp, _ turn: Epoch) async -> String {
        do {
            // The bus ends with the program, and with the sandbox all that it has started.
            let bus = app.hasSessionBus && app.isSandboxed ? ["/usr/bin/dbus-run-session", "--"] : []
            var program = ConfinedProgram(name: id, command: bus + app.command)
            // One that outlasts the turn is no more the worker's than the next one's.
            program.environment =
                app.isSandboxed ? turnEnvironment.merging(app.environment) { $1 } : app.environment
            program.environment["BATON_APP_ID"] = id
            program.bus = .baton
            if app.isSandboxed { program.user = try users.userOfTurn() }
            program.shares = program.user == nil ? app.shares(ofHome: home) : app.sharesInTurn
            guard let token = LaunchToken(), let owned = token.owned else {
                throw LaunchFault.failed("no descriptors left")
            }
            program.descriptors[LaunchToken.number] = token.descriptor
            program.environment[LaunchToken.variable] = String(LaunchToken.number)
            try await link.launched(id, owned)
            try await run(program, isSandboxed: app.isSandboxed, in: turn)
            return ""
        } catch {
            log.error("an app was not started", metadata: ["app": "\(id)", "cause": "\(error)"])
            return "\(app.name) could not be started."
        }
    }

    func run(_ program: ConfinedProgram, isSandboxed: Bool, in turn: Epoch) async throws(LaunchFault) {
        let id = program.name
        let confinement = try await start(program, isSandboxed)
        runs[id, default: []].append(Run(isSandboxed: isSandboxed, confinement: confinement))
        Task { [weak self] in
            await confinement.untilGone()
            await self?.gone(id, confinement, turn)
        }
        let user = program.user.map { ["user": "\($0.user)"] } ?? [:] as Logger.Metadata
        log.info(
            "an app was started",
            metadata: user.merging(["app": "\(id)", "proof": "\(confinement.proof.rawValue)"]) { $1 })
    }

    private func gone(_ id: String, _ confinement: any Confinement, _ turn: Epoch) async {
        runs[id]?.removeAll { $0.confinement.process === confinement.process }
        if id == Self.desktopID { await desktopEnded(in: turn) }
    }

    /// Whether a process belongs to a run of that app, also one that is just being started.
    func hasStarted(_ pid: Int32, for id: String, limit: TimeLimit) async -> Bool {
        func isOfRun() -> Bool { runs[id]?.contains { $0.confinement.holds(pid) } ?? false }
        if isOfRun() { return true }
        return await startsAreDone(limit: limit) && isOfRun()
    }

    // MARK: Ending

    /// Ends all runs of one app; nil when the agent has not started it.
    func end(_ id: String, limit: TimeLimit) async -> (proof: Proof, problem: String?)? {
        guard let own = runs[id], !own.isEmpty else { return nil }
        return await end(own.map { (id, $0) }, limit: limit)
    }

    /// Ends every sandbox, which holds a turn's data in its memory file systems, also those that are just being made.
    func endSandboxes(of turn: Epoch, limit: TimeLimit) async -> HolderReport {
        gate.close(turn)
        (turnEnvironment, turnKeyboard) = ([:], nil)
        // In a slice that batond has closed PID 1 starts nothing, and says so to no one.
        for beginning in starting.values where beginning.endsWithTurn { beginning.task.cancel() }
        guard await startsAreDone(limit: limit) else {
            return HolderReport("apps", .failed, "an app was still being started")
        }
        let all = runs.sorted { $0.key < $1.key }.flatMap { id, own in
            own.filter(\.isSandboxed).map { (id, $0) }
        }
        guard !all.isEmpty else { return HolderReport("apps", .clean, "no sandbox was open") }
        let result = await end(all, limit: limit)
        if let problem = result.problem { return HolderReport("apps", .failed, problem) }
        return HolderReport("apps", .clean, "\(all.count) ended, proof: \(result.proof.rawValue)")
    }

    /// False when the time is over first.
    private func startsAreDone(limit: TimeLimit) async -> Bool {
        let tasks = starting.values.map(\.task)
        guard !tasks.isEmpty else { return true }
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        Task {
            for task in tasks { _ = await task.value }
            answer.yield(true)
        }
        return await answers.first(within: limit.left) ?? false
    }

    private func end(_ runs: [(id: String, run: Run)], limit: TimeLimit) async -> (proof: Proof, problem: String?) {
        checkpoint("sandbox: before any is ended")
        defer { checkpoint("sandbox: after all were ended") }
        let problems = await withTaskGroup(of: String?.self) { group in
            for (id, run) in runs {
                group.addTask { await run.confinement.end(limit: limit).map { "\(id): \($0)" } }
            }
            return await group.reduce(into: [String]()) { if let problem = $1 { $0.append(problem) } }
        }
        let order = Proof.allCases
        let weakest = runs.map(\.run.confinement.proof).max {
            (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0)
        }
        return (weakest ?? .pid, problems.isEmpty ? nil : problems.sorted().joined(separator: "; "))
    }

    /// Ends everything, as when the agent stops.
    func close() async {
        gate.close(.greatest)
        _ = await startsAreDone(limit: TimeLimit(.seconds(3)))
        let all = runs.flatMap { id, own in own.map { (id, $0) } }
        _ = await end(all, limit: TimeLimit(.seconds(3)))
    }

    /// The processes of what runs outside a sandbox, which no turn's end ends.
    var lasting: [ProcessHandle] {
        runs.values.flatMap { $0 }.filter { !$0.isSandboxed }.map(\.confinement.process)
    }
}
