import BatonContract
import Checkpoints
import Clearing
import DBus
import Glibc
import LinuxSystem
import TurnControl
import Vocabulary
import Wiping

/// Answers `org.baton.Agent1`, to the supervisor alone.
struct Agent1Adapter {
    let agent: Agent
    let kiosk: Kiosk

    func serve(on object: inout ServedObject) {
        let agent = agent
        let kiosk = kiosk
        object.answer(Agent1.configure) { caller, settings in
            try await Self.requireSupervisor(caller, agent)
            return await kiosk.configure(settings)
        }
        object.answer(Agent1.prepareTurn) { caller, preparation in
            try await Self.requireSupervisor(caller, agent)
            guard let user = preparation.number.flatMap({ TurnNumber(Int(clamping: $0)) }) else {
                throw BatonError(.invalidArgument, "There is no such turn user.")
            }
            await kiosk.prepare(user, beside: preparation.beside)
        }
        object.answer(Agent1.beginTurn) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (epoch, beginning) = arguments
            checkpoint("asked to begin a turn")
            await kiosk.begin(Turn(epoch: epoch, beginning))
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
        object.answer(Agent1.contain) { caller, order in
            try await Self.requireSupervisor(caller, agent)
            checkpoint("asked to contain")
            defer { checkpoint("before the answer about a containment") }
            return await Self.contain(order, agent, kiosk)
        }
        object.answer(Agent1.signOutBrowser) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (epoch, order) = arguments
            checkpoint("asked to sign the browser out")
            let report = await kiosk.signOutBrowser(epoch, LogOutPage(order), limit: Self.limit(order.limit))
            checkpoint("before the answer about the browser")
            return BrowserSignOutResult(report)
        }
        object.answer(Agent1.clearSharedHolders) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (epoch, order) = arguments
            let waiting = Set(order.spare.compactMap { Int32(exactly: $0) })
            var lasting = await agent.processes(of: order.listed)
            if let supervisor = await agent.supervisorProcess { lasting.insert(supervisor) }
            checkpoint("asked to clear shared holders")
            defer { checkpoint("before the answer about shared holders") }
            return await kiosk.clearSharedHolders(
                epoch: epoch, began: TurnStart(began: order.began, boottime: order.boottime), spare: lasting,
                waiting: waiting, limit: Self.limit(order.limit)
            ).map(CheckRow.init)
        }
        object.answer(Agent1.openSignIn) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (url, page) = arguments
            guard SignInStep.isWebAddress(url) else {
                throw BatonError(.invalidArgument, "A sign-in page is https, or http on loopback.")
            }
            try await kiosk.openSignIn(url, again: page.isAgain)
        }
        object.answer(Agent1.closeSignIn) { caller, _ in
            try await Self.requireSupervisor(caller, agent)
            return await kiosk.closeSignIn(limit: TimeLimit(Self.patience))
        }
        object.answer(Agent1.lock) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (epoch, order) = arguments
            let isCovered = await kiosk.lock(epoch, order)
            return (isCovered, await kiosk.lockLasts)
        }
        object.answer(Agent1.unlock) { caller, epoch in
            try await Self.requireSupervisor(caller, agent)
            await kiosk.unlock(epoch)
        }
    }

    /// Inside the time after which batond quarantines anyway, so that its receipt says what was missing.
    private static let patience = Duration.seconds(4)

    /// How long batond gives a step, at most a minute.
    private static func limit(_ limit: Duration) -> TimeLimit { TimeLimit(min(limit, .seconds(60))) }

    private static func requireSupervisor(_ caller: Caller, _ agent: Agent) async throws {
        guard await agent.isSupervisor(caller.name.rawValue) else {
            throw BatonError(.notAuthorized, "Only the supervisor may ask the agent for anything.")
        }
    }

    private static func contain(_ order: ContainmentOrder, _ agent: Agent, _ kiosk: Kiosk) async -> ContainmentResult {
        let keep = order.keep.map(expand)
        let wipes = order.wipe.map(expand).map { root in
            Wipe(root: root, keep: keep.filter { $0 == root || $0.hasPrefix(root + "/") })
        }
        let time = limit(order.limit)
        let report = await kiosk.contain(order.app, limit: time) {
            await agent.contain(
                instances: order.instances, wipes: order.isListed ? Wipe.outermost(wipes) : nil, limit: time)
        }
        return ContainmentResult(report)
    }

    /// `~/` is the home of the user whose session this is.
    private static func expand(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = Wipe.homesOfThisUser.first else { return path }
        return home + path.dropFirst()
    }
}

extension Turn {
    private static let mostLogOuts = 16

    init(epoch: Epoch, _ beginning: TurnBeginning) {
        // However late this is heard: what was started and written meanwhile is the turn's.
        let start = TurnStart(began: beginning.began, boottime: beginning.boottime)
        self.init(epoch: epoch, start: start ?? TurnStart())
        user = beginning.number.flatMap { TurnNumber(Int(clamping: $0)) }
        endSession = beginning.endSession
        logOuts = Array(beginning.logOuts.prefix(Self.mostLogOuts))
        issuer = beginning.issuer
        locale = beginning.locale
        keyboard = KeyboardLayout(beginning.keyboard)
    }
}

extension LogOutPage {
    init?(_ order: BrowserSignOut) {
        guard let url = order.logOutURL, SignInStep.isWebAddress(url) else { return nil }
        self.init(url: url, answer: order.logOutAnswer ?? "")
    }
}

extension ContainmentResult {
    init(_ report: ContainmentReport) {
        self.init()
        outcome = report.outcome
        proof = report.proof
        explanation = report.explanation
    }
}

extension BrowserSignOutResult {
    init(_ report: BrowserReport) {
        self.init()
        outcome = report.outcome
        explanation = report.explanation
        checks = report.checks.map(CheckRow.init)
        logOut = report.page
    }
}

extension CheckRow {
    init(_ report: HolderReport) { self.init(report.name, report.outcome, report.explanation) }
}
