internal import BatonContract
internal import DBus
internal import Logging
internal import Supervision
internal import Vocabulary

extension AgentLink {
    func perform(_ order: AgentOrder, _ agent: Present) async {
        switch order.request {
        case .prepare(let plans): await prepare(plans, agent)
        case .watch(let plan, let again):
            // The one before has just failed.
            if again { try? await connection.thread.sleep(for: .seconds(1)) }
            await watch(plan, agent)
            if !again { endFirstTry(of: plan.instance) }
        case .beginTurn(let plan): await beginTurn(plan, order.pages, agent)
        case .contain(let plan): await contain(plan, agent)
        case .signOutBrowser(let plan): await signOutBrowser(plan, order, agent)
        case .clearSharedHolders(let plan): await clearSharedHolders(plan, order.waiting, agent)
        case .closeSignIn: await closeSignIn(agent)
        case .withdraw: break
        }
    }

    // MARK: A turn

    private func beginTurn(_ plan: TurnPlan, _ pages: ProviderPages?, _ agent: Present) async {
        var options = plan.began.options
        if let pages {
            // An issuer has no fragment, so the first # ends it.
            options["issuer"] = .string(String(plan.holder.id.prefix { $0 != "#" }))
            options["end-session"] = .string(pages.endSession)
            if !pages.logOuts.isEmpty { options["log-outs"] = .strings(pages.logOuts) }
            options["post-logout"] = .string(pages.postLogout)
        }
        do {
            try await connection.call(
                Agent1.beginTurn, (plan.epoch, Account(plan.holder).dictionary, options), to: agent.name,
                at: Agent1.path, timeout: .seconds(20))
        } catch {
            if isPresent(agent) {
                log.error(
                    "the agent did not begin the turn", metadata: ["epoch": "\(plan.epoch)", "error": "\(error)"])
            }
        }
    }

    private func signOutBrowser(_ plan: BrowserPlan, _ order: AgentOrder, _ agent: Present) async {
        var options: VariantDictionary = ["limit": .uint64(plan.limit)]
        if let page = order.logOut {
            options["log-out-url"] = .string(page.url)
            options["log-out-answer"] = .string(page.answer)
        }
        let result = await call(Agent1.signOutBrowser, (plan.epoch, options), agent)
        if result == nil { await endSilent(agent) }
        await order.logOutEnded(result?["log-out"]?.string == "confirmed")
        let check = CheckOutcome(rawValue: result?["outcome"]?.string ?? "") ?? .failed
        let text = result?["explanation"]?.string ?? "the agent did not answer"
        let checks = Self.holders(result?["checks"]?.dictionaries ?? [])
        await report(.browserSignedOut(plan.epoch, check, String(text.prefix(1024)), checks: checks), by: agent)
    }

    private func clearSharedHolders(_ plan: SharedHoldersPlan, _ waiting: Set<Sender>, _ agent: Present) async {
        var options = plan.began.options
        options["spare"] = .uint32s(await processes(of: waiting))
        options["listed"] = plan.listed.variant
        options["limit"] = .uint64(plan.limit)
        let rows = await call(Agent1.clearSharedHolders, (plan.epoch, options), agent)
        let missing = [Barrier.Holder(name: "session", outcome: .failed, explanation: "the agent did not answer")]
        await report(.sharedHoldersCleared(plan.epoch, rows.map(Self.holders) ?? missing), by: agent)
    }

    private func processes(of senders: Set<Sender>) async -> [UInt32] {
        var processes: Set<UInt32> = []
        for sender in senders {
            guard let name = BusName(sender), let pid = try? await connection.credentials(of: name).pid else {
                continue
            }
            processes.insert(UInt32(clamping: pid))
        }
        return processes.sorted()
    }

    private static func holders(_ rows: [VariantDictionary]) -> [Barrier.Holder] {
        rows.prefix(64).map { row in
            Barrier.Holder(
                name: String((row["holder"]?.string ?? "").prefix(64)),
                outcome: CheckOutcome(rawValue: row["outcome"]?.string ?? "") ?? .failed,
                explanation: String((row["explanation"]?.string ?? "").prefix(1024)))
        }
    }

    // MARK: The page of a sign-in

    /// Opens the page of a sign-in in the agent's browser.
    func openSignIn(_ url: String, _ options: VariantDictionary) async throws(Refusal) {
        guard let agent = present else { throw .agentMissing }
        do {
            try await connection.call(
                Agent1.openSignIn, (url, options), to: agent.name, at: Agent1.path, timeout: .seconds(60))
        } catch {
            log.error("the agent did not open the sign-in page", metadata: ["error": "\(error)"])
            if !isPresent(agent) { throw .agentMissing }
            throw .failed
        }
    }

    private func closeSignIn(_ agent: Present) async {
        let clean = await call(Agent1.closeSignIn, (), agent)
        if clean == nil { await endSilent(agent) }
        await report(.signInBrowserClosed(clean: clean ?? false), by: agent)
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

extension TurnBegin {
    fileprivate var options: VariantDictionary {
        var options: VariantDictionary = ["began": .int64(wall)]
        options["began-boottime"] = boottime.map { .uint64($0) }
        return options
    }
}
