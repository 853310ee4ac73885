package import BatonContract
import DBus
import Logging
import Providers
package import SessionMachine
import Vocabulary

extension AgentLink {
    func perform(_ order: AgentOrder, _ number: UInt64, _ agent: Present) async {
        switch order.request {
        case .prepare(let plans): await prepare(plans, agent)
        case .watch(let plan, let again):
            // The one before has just failed.
            if again { try? await connection.thread.sleep(for: .seconds(1)) }
            await watch(plan, agent)
            if !again { endFirstTry(of: plan.instance) }
        case .prepareTurn(let user, let epoch): await prepareTurn(user, beside: epoch, agent)
        case .beginTurn(let plan): await beginTurn(plan, agent)
        case .contain(let plan): await contain(plan, number, agent)
        case .signOutBrowser(let plan): await signOutBrowser(plan, order, agent)
        case .clearSharedHolders(let plan): await clearSharedHolders(plan, agent)
        case .closeSignIn: await closeSignIn(agent)
        case .lock(let plan): await lock(plan, agent)
        case .unlock(let epoch): await unlock(epoch, agent)
        case .withdraw: break
        }
    }

    // MARK: A turn

    private func prepareTurn(_ user: TurnUser, beside epoch: Epoch?, _ agent: Present) async {
        var preparation = TurnPreparation()
        preparation.number = UInt32(user.number)
        preparation.beside = epoch
        do {
            try await connection.call(
                Agent1.prepareTurn, preparation, to: agent.name, at: Agent1.path, timeout: .seconds(20))
        } catch {
            if isPresent(agent) {
                log.error(
                    "the agent did not prepare the next turn",
                    metadata: ["user": "\(user.number)", "error": "\(error)"])
            }
        }
    }

    private func beginTurn(_ plan: TurnPlan, _ agent: Present) async {
        var beginning = TurnBeginning()
        (beginning.began, beginning.boottime) = (plan.began.wall, plan.began.boottime)
        beginning.number = plan.user.map { UInt32($0.number) }
        beginning.locale = plan.holder.attributes["locale"] ?? ""
        beginning.keyboard = plan.holder.attributes["keyboard"] ?? ""
        if let pages = plan.pages {
            // An issuer has no fragment, so the first # ends it.
            beginning.issuer = String(plan.holder.id.prefix { $0 != "#" })
            beginning.endSession = pages.endSession
            beginning.logOuts = pages.logOuts
        }
        do {
            try await connection.call(
                Agent1.beginTurn, (plan.epoch, beginning), to: agent.name, at: Agent1.path, timeout: .seconds(20))
        } catch {
            if isPresent(agent) {
                log.error(
                    "the agent did not begin the turn", metadata: ["epoch": "\(plan.epoch)", "error": "\(error)"])
            }
        }
    }

    private func signOutBrowser(_ plan: BrowserPlan, _ order: AgentOrder, _ agent: Present) async {
        var options = BrowserSignOut()
        options.limit = .microseconds(Int64(clamping: plan.limit))
        if let page = order.logOut { (options.logOutURL, options.logOutAnswer) = (page.url, page.answer) }
        let reply = await call(Agent1.signOutBrowser, (plan.epoch, options), agent)
        if case .none = reply { await endSilent(agent) }
        let result = reply.answer
        await order.logOutEnded(result?.logOut == .confirmed)
        await report(
            .browserSignedOut(
                plan.epoch, result?.outcome ?? .failed, result?.explanation ?? reply.explanation,
                checks: (result?.checks ?? []).map(Barrier.Check.init)), by: agent)
    }

    private func clearSharedHolders(_ plan: SharedHoldersPlan, _ agent: Present) async {
        var options = SharedClearing()
        options.limit = .microseconds(Int64(clamping: plan.limit))
        (options.began, options.boottime) = (plan.began.wall, plan.began.boottime)
        options.spare = await processes(of: plan.waiting)
        options.listed = plan.listed
        let reply = await call(Agent1.clearSharedHolders, (plan.epoch, options), agent)
        let missing = [CheckRow("session", .failed, reply.explanation)]
        await report(
            .sharedHoldersCleared(plan.epoch, (reply.answer ?? missing).prefix(64).map(Barrier.Check.init)), by: agent)
    }

    private func processes(of senders: [Sender]) async -> [UInt32] {
        var processes: Set<UInt32> = []
        for sender in senders {
            guard let name = BusName(sender), let pid = try? await connection.credentials(of: name).pid else {
                continue
            }
            processes.insert(UInt32(clamping: pid))
        }
        return processes.sorted()
    }

    // MARK: A lock

    private func lock(_ plan: LockPlan, _ agent: Present) async {
        var order = LockOrder()
        order.name = plan.holder.attributes["name"] ?? plan.holder.attributes["username"] ?? ""
        order.locale = plan.holder.attributes["locale"] ?? ""
        order.until = plan.until
        order.hasPIN = plan.hasPIN
        order.hasPhone = plan.hasPhone
        let reply = await call(Agent1.lock, (plan.epoch, order), agent)
        let (isCovered, lasts) = reply.answer ?? (false, false)
        await report(.locked(plan.epoch, isCovered: isCovered, lasts: lasts), by: agent)
    }

    private func unlock(_ epoch: Epoch, _ agent: Present) async {
        if case .none = await call(Agent1.unlock, epoch, agent) { await endSilent(agent) }
        await report(.unlocked(epoch), by: agent)
    }

    // MARK: The page of a sign-in

    /// Opens the page of a sign-in in the agent's browser.
    package func openSignIn(_ url: String, _ page: SignInPage) async throws(Refusal) {
        guard let agent = present else { throw .agentMissing }
        do {
            try await connection.call(
                Agent1.openSignIn, (url, page), to: agent.name, at: Agent1.path, timeout: .seconds(60))
        } catch {
            log.error("the agent did not open the sign-in page", metadata: ["error": "\(error)"])
            if !isPresent(agent) { throw .agentMissing }
            throw .failed
        }
    }

    private func closeSignIn(_ agent: Present) async {
        let reply = await call(Agent1.closeSignIn, (), agent)
        if case .none = reply { await endSilent(agent) }
        await report(.signInBrowserClosed(clean: reply.answer ?? false), by: agent)
    }

    /// An agent that does not answer leaves the worker's browser on the screen. One that batond started ends with all that it
    /// has started, and the next one makes up for what is missing; another user's batond cannot end.
    private func endSilent(_ agent: Present) async {
        guard isPresent(agent), let child, let pid = try? await connection.credentials(of: agent.name).pid,
            isPresent(agent), await child.kill(pid)
        else { return }
        log.error("the agent did not answer about a browser and was ended with all that it started")
    }
}

extension Barrier.Check {
    fileprivate init(_ row: CheckRow) {
        self.init(name: row.holder, outcome: row.outcome, explanation: row.explanation)
    }
}
