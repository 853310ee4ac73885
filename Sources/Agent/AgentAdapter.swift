internal import BatonContract
internal import Checkpoints
internal import DBus
internal import Glibc
internal import Vocabulary
import Wiping

/// Answers `org.baton.Agent1`, to the supervisor alone.
struct AgentAdapter {
    let agent: Agent
    let kiosk: Kiosk

    func serve(on object: inout ServedObject) {
        let agent = agent
        let kiosk = kiosk
        object.answer(Agent1.configure) { caller, settings in
            try await Self.requireSupervisor(caller, agent)
            return await kiosk.configure(try AgentConfiguration(settings)).dictionary
        }
        object.answer(Agent1.beginTurn) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (epoch, _, options) = arguments
            checkpoint("asked to begin a turn")
            await kiosk.begin(Turn(epoch: epoch, options))
            checkpoint("before the answer about a turn's beginning")
        }
        object.answer(Agent1.watchProcess) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (instance, name, pid) = arguments
            checkpoint("asked to watch a process")
            return await agent.watchProcess(instance: instance, connection: name, pid: pid)
        }
        object.answer(Agent1.hasStarted) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (app, pid) = arguments
            guard let pid = Int32(exactly: pid), pid > 0 else { return false }
            return await kiosk.hasStarted(pid, for: app, limit: TimeLimit(Self.patience))
        }
        object.answer(Agent1.contain) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (_, app) = arguments
            checkpoint("asked to contain")
            defer { checkpoint("before the answer about a containment") }
            return try await Self.contain(app, agent, kiosk)
        }
        object.answer(Agent1.signOutBrowser) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (epoch, options) = arguments
            checkpoint("asked to sign the browser out")
            let limit = Self.limit(in: options, otherwise: .seconds(8))
            let report = await kiosk.signOutBrowser(epoch, LogOutPage(options), limit: limit)
            var result: VariantDictionary = [
                "outcome": .string(report.outcome), "explanation": .string(report.explanation),
                "checks": .dictionaries(report.checks.map(\.dictionary)),
            ]
            checkpoint("before the answer about the browser")
            if let page = report.page { result["log-out"] = .string(page.rawValue) }
            return result
        }
        object.answer(Agent1.clearSharedHolders) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (epoch, options) = arguments
            let waiting = Set((options["spare"]?.uint32s ?? []).compactMap { Int32(exactly: $0) })
            var lasting = await agent.processes(of: options["listed"].flatMap([Instance].init) ?? [])
            if let supervisor = await agent.supervisorProcess { lasting.insert(supervisor) }
            let limit = Self.limit(in: options, otherwise: Self.patience)
            checkpoint("asked to clear shared holders")
            defer { checkpoint("before the answer about shared holders") }
            return await kiosk.clearSharedHolders(
                epoch: epoch, began: TurnStart(options), spare: lasting, waiting: waiting, limit: limit
            ).map(\.dictionary)
        }
        object.answer(Agent1.openSignIn) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (url, options) = arguments
            guard SignInStep.isWebAddress(url) else {
                throw BatonError(.invalidArgument, "A sign-in page is https, or http on loopback.")
            }
            try await kiosk.openSignIn(url, again: options["again"]?.boolean ?? false)
        }
        object.answer(Agent1.closeSignIn) { caller, _ in
            try await Self.requireSupervisor(caller, agent)
            return await kiosk.closeSignIn(limit: TimeLimit(Self.patience))
        }
    }

    /// Inside the time after which batond quarantines anyway, so that its receipt says what was missing.
    private static let patience = Duration.seconds(4)

    /// How long batond gives a step, in microseconds, at most a minute; one that still runs from before an update does not say.
    private static func limit(in options: VariantDictionary, otherwise: Duration) -> TimeLimit {
        TimeLimit(options["limit"]?.uint64.map { .microseconds(Int64(clamping: min($0, 60_000_000))) } ?? otherwise)
    }

    private static func requireSupervisor(_ caller: Caller, _ agent: Agent) async throws {
        guard await agent.isSupervisor(caller.name.rawValue) else {
            throw BatonError(.notAuthorized, "Only the supervisor may ask the agent for anything.")
        }
    }

    private static func contain(
        _ app: VariantDictionary, _ agent: Agent, _ kiosk: Kiosk
    ) async throws -> VariantDictionary {
        guard let listed = app["listed"]?.boolean, let instances = app["instances"].flatMap([Instance].init) else {
            throw BatonError(.invalidArgument, "Contain takes listed and instances.")
        }
        let keep = (app["keep"]?.strings ?? []).map(expand)
        let wipes = (app["wipe"]?.strings ?? []).map(expand).map { root in
            Wipe(root: root, keep: keep.filter { $0 == root || $0.hasPrefix(root + "/") })
        }
        let time = limit(in: app, otherwise: Self.patience)
        let report = await kiosk.contain(app["id"]?.string ?? "", limit: time) {
            await agent.contain(instances: instances, wipes: listed ? Wipe.outermost(wipes) : nil, limit: time)
        }
        return [
            "outcome": .string(report.outcome.rawValue), "proof": .string(report.proof),
            "explanation": .string(report.explanation),
        ]
    }

    /// `~/` is the home of the user whose session this is.
    private static func expand(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = Wipe.homesOfThisUser.first else { return path }
        return home + path.dropFirst()
    }
}

extension Turn {
    private static let mostLogOuts = 16

    init(epoch: Epoch, _ options: VariantDictionary) {
        // However late this is heard: what was started and written meanwhile is the turn's.
        self.init(epoch: epoch, start: TurnStart(options) ?? TurnStart())
        endSession = options["end-session"]?.string ?? ""
        logOuts = Array((options["log-outs"]?.strings ?? []).prefix(Self.mostLogOuts))
        issuer = options["issuer"]?.string ?? ""
    }
}

extension TurnStart {
    /// Nil: batond does not know it.
    fileprivate init?(_ options: VariantDictionary) {
        self.init(began: options["began"]?.int64 ?? 0, boottime: options["began-boottime"]?.uint64)
    }
}

extension LogOutPage {
    init?(_ options: VariantDictionary) {
        guard let url = options["log-out-url"]?.string, SignInStep.isWebAddress(url),
            let answer = options["log-out-answer"]?.string
        else { return nil }
        self.init(url: url, answer: answer)
    }
}

extension HolderReport {
    var dictionary: VariantDictionary {
        ["holder": .string(name), "outcome": .string(outcome.rawValue), "explanation": .string(explanation)]
    }
}
