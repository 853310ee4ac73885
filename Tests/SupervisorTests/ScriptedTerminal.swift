import DBus
import Logging
import Testimony
import Vocabulary

@testable import Journal
@testable import Providers
@testable import SessionMachine
@testable import Settings
@testable import Supervisor

/// A terminal in one process: the supervisor on a scripted disk, with apps, an agent and a provider that only exist here.
///
/// A supervisor that is killed is thrown away and the next one begins with what is on the disk. Everything runs on the bus
/// thread, so that the same kills give the same rounds.
actor ScriptedTerminal {
    nonisolated let thread: BusThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    let disk: ScriptedDisk
    let caller: Sender = ":1.1"
    var apps: [ScriptedApp]
    var testimony = Testimony()
    /// Each step at which a life ended.
    private(set) var kills: [String] = []
    /// A supervisor began with a quarantine.
    private(set) var wasShut = false
    private(set) var life = SupervisorLife()
    private(set) var supervisor: Supervisor?
    private let settings: Settings
    private let clock: Clock
    private let marker: Marker
    /// The mark as it was at the kill: what the killed supervisor does afterwards is undone.
    private var markerAtEnd: Marker.Meaning?
    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let agent: AgentNumber = 1

    /// - Parameters:
    ///   - failing: One app says that it cannot clear, and is contained.
    ///   - marker: Where a supervisor leaves its mark; in a folder of the caller's.
    init(on thread: BusThread, _ disk: ScriptedDisk = ScriptedDisk(), failing: Bool = false, marker: Marker) {
        self.thread = thread
        self.disk = disk
        self.marker = marker
        apps = ["Ward", "Till", "Stock"].enumerated().map { number, name in
            ScriptedApp(
                key: AppKey(uid: 1000, id: "org.example.\(name)"), sender: ":1.\(number + 10)",
                pid: Int32(number + 100), word: failing && name == "Stock" ? .failed : .cleared)
        }
        var settings = Settings(defaultsFor: .session)
        settings.apps = [AppSettings(id: "org.example.Stock")]
        settings.identity = .oidc(OpenIDSettings(authority: "https://localhost", clientID: "baton"))
        self.settings = settings
        // Time goes on by a microsecond whenever anybody looks: no deadline comes.
        let ticks = Ticks()
        clock = Clock {
            let now = 1_000_000_000 + ticks.next()
            return Moment(monotonic: now, boottime: now, wall: Int64(clamping: now))
        }
    }

    // MARK: A life

    /// Starts a supervisor, which may be killed before it is ready.
    func start(until step: Int?) async {
        restoreMarker()
        let life = SupervisorLife(until: step) { [weak self] in
            self?.assumeIsolated { $0.markerAtEnd = $0.marker.meaning }
        }
        self.life = life
        let supervisor = Supervisor(
            thread: thread, ledger: disk.open(), journal: LifeJournal(disk: disk, life: life), marker: marker,
            settings: settings, provider: ScriptedProvider(life: life), clock: clock, log: log)
        self.supervisor = supervisor
        let alive = Set(apps.filter { $0.isRunning }.map(\.sender) + [caller])
        await supervisor.start(
            on: outlet(of: life),
            in: StartFindings(
                busID: "bus", bootID: "boot", alive: alive, marked: marker.meaning == .failed,
                signOutAsked: marker.meaning == .asked),
            opening: {})
        begin(supervisor)
    }

    /// It is ready: a caller asks where it stands, and the agent comes.
    private func begin(_ supervisor: Supervisor) {
        let state = supervisor.assumeIsolated { $0.publicState }
        if life.passes("a caller asks") {
            if state.phase == .quarantined { wasShut = true }
            testimony.stands(state.epoch, state.phase.rawValue)
            if let holder = state.current { testimony.began(state.epoch, holder.attributes["username"]) }
        }
        supervisor.assumeIsolated { $0.agentComes() }
    }

    /// What listeners hear of this life: nothing after its end.
    private func outlet(of life: SupervisorLife) -> EffectOutlet {
        EffectOutlet(
            publish: { [weak self] _, new in
                guard life.passes("before publish") else { return }
                self?.assumeIsolated { $0.testimony.stands(new.epoch, new.phase.rawValue) }
            },
            announce: { [weak self] announcement in
                guard life.passes("before announce \(announcement)") else { return }
                self?.assumeIsolated { $0.hear(announcement) }
            },
            ask: { [weak self] order in
                guard life.passes("before agent \(order.request)") else { return }
                self?.assumeIsolated { $0.work(on: order.request, in: life) }
            },
            listen: {}, open: { (_, _) async throws(Refusal) in throw .failed }, step: { _, _ in })
    }

    private func restoreMarker() {
        guard !kills.isEmpty else { return }
        try? marker.clear()
        if let meaning = markerAtEnd { try? marker.set(meaning) }
    }

    /// Forgets the supervisor whose life has ended, and notes the step.
    func bury() {
        guard let step = life.lastStep else { return }
        kills.append(step)
        supervisor = nil
    }

    /// Asks the supervisor.
    ///
    /// - Throws: `SupervisorLife.Killed` if it is killed before it answers; `Silence` if it lives and does not answer.
    func ask(_ make: @escaping @Sendable (Supervisor, Call) -> Event.Kind) async throws -> Answer {
        guard let supervisor else { throw SupervisorLife.Killed() }
        let life = life
        return try await withCheckedThrowingContinuation { continuation in
            guard let waiter = life.wait({ continuation.resume(throwing: SupervisorLife.Killed()) }) else { return }
            // All of it runs in this process, so an answer comes at once or never.
            let thread = thread
            let patience = thread.schedule(after: .seconds(10)) {
                if life.stopWaiting(waiter) { continuation.resume(throwing: Silence()) }
            }
            supervisor.assumeIsolated { supervisor in
                supervisor.ask({ make(supervisor, $0) }) { answer in
                    guard life.passes("before an answer"), life.stopWaiting(waiter) else { return }
                    thread.cancel(patience)
                    continuation.resume(returning: answer)
                }
            }
        }
    }

    struct Silence: Error, CustomStringConvertible {
        let description = "the supervisor never answered"
    }

    /// Of the supervisor as it lives now.
    var phase: Phase? { supervisor?.assumeIsolated { $0.publicState.phase } }

    // MARK: What apps and agent do

    private func hear(_ announcement: Effect.Announcement) {
        switch announcement {
        case .signedIn(let epoch, let holder):
            testimony.began(epoch, holder.attributes["username"])
            for place in apps.indices { take(epoch, place) }
        case .signingOut(let epoch, _, _, _):
            let life = life
            for place in apps.indices where apps[place].instance != nil {
                thread.performLater { [weak self] in self?.assumeIsolated { $0.clear(place, epoch, in: life) } }
            }
        case .signedOut(let epoch, _, let outcome):
            testimony.ended(epoch, outcome.rawValue, holding: apps.filter { $0.holds == epoch }.map(\.key.id))
        case .automaticSignOutPending, .automaticSignOutCancelled: break
        }
    }

    /// An app is handed the worker's account.
    func take(_ epoch: Epoch, _ place: Int) {
        guard apps[place].instance != nil else { return }
        if let earlier = apps[place].holds, earlier != epoch {
            testimony.note("S1: \(apps[place].key.id) got turn \(epoch) and held data of turn \(earlier)")
        }
        apps[place].holds = epoch
    }

    /// An app clears and says so.
    func clear(_ place: Int, _ epoch: Epoch, in life: SupervisorLife) {
        guard !life.isOver, let instance = apps[place].instance, let supervisor else { return }
        let app = apps[place]
        // One that cannot clear keeps what it has.
        if app.word != .failed { apps[place].holds = nil }
        let word = Acknowledging(sender: app.sender, epoch: epoch, instance: instance, outcome: app.word)
        supervisor.assumeIsolated { supervisor in
            supervisor.ask({ .acknowledge($0, word) }) { [weak self] answer in
                guard life.passes("before the answer to an acknowledgement") else { return }
                self?.assumeIsolated { $0.acknowledged(word, place, answer) }
            }
        }
    }

    private func acknowledged(_ word: Acknowledging, _ place: Int, _ answer: Answer) {
        switch answer {
        case .done, .refused(.journalFailed): break
        // It registered while the journal could not be written, so the next supervisor does not know it.
        case .refused(.notYours) where disk.faultsMade > 0, .refused(.notRegistered) where disk.faultsMade > 0:
            apps[place].instance = nil
        // It was ended meanwhile.
        case .refused(.notRegistered) where word.outcome == .failed: break
        default: testimony.note("an acknowledgement of turn \(word.epoch) was answered with \(answer)")
        }
    }

    private func work(on request: Effect.Request, in life: SupervisorLife) {
        thread.performLater { [weak self] in
            self?.assumeIsolated { terminal in
                guard !life.isOver, let answer = terminal.answer(to: request) else { return }
                terminal.supervisor?.assumeIsolated { $0.post(answer) }
            }
        }
    }

    private func answer(to request: Effect.Request) -> Event.Kind? {
        switch request {
        case .watch(let plan, _): return .agentReported(Self.agent, .watch(plan, .held))
        case .prepare, .prepareTurn, .beginTurn, .unlock, .withdraw: return nil
        case .contain(let plan):
            if let place = apps.firstIndex(where: { $0.key == plan.app }) {
                apps[place].holds = nil
                apps[place].isRunning = false
                apps[place].instance = nil
            }
            return says(
                .contained(
                    plan.app,
                    Containment(epoch: plan.epoch, outcome: .contained, instances: plan.instances, proof: .pid)))
        case .signOutBrowser(let plan): return says(.browserSignedOut(plan.epoch, .clean, ""))
        case .clearSharedHolders(let plan):
            for app in apps where app.holds == plan.epoch {
                testimony.note("S6: shared holders of turn \(plan.epoch) were cleared before \(app.key.id)")
            }
            return says(.sharedHoldersCleared(plan.epoch, [Barrier.Check(name: "clipboard", outcome: .clean)]))
        case .closeSignIn: return says(.signInBrowserClosed(clean: true))
        case .lock(let plan): return says(.locked(plan.epoch, isCovered: true))
        }
    }

    private func says(_ report: AgentReport) -> Event.Kind {
        .agentReported(Self.agent, report)
    }
}

/// An app as a scripted terminal knows it.
struct ScriptedApp: Sendable {
    let key: AppKey
    let sender: Sender
    let pid: Int32
    /// What it says when it is asked to clear.
    let word: AcknowledgementOutcome
    var isRunning = true
    /// It takes part, and registers again wherever an answer was lost.
    var takesPart = false
    /// As it was told; nil: it is not registered.
    var instance: Instance?
    /// The turn whose data it holds.
    var holds: Epoch?
}
