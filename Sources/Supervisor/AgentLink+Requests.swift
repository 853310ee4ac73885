internal import BatonContract
internal import DBus
internal import Logging
internal import Supervision
internal import Vocabulary

extension AgentLink {
    func answer(_ request: Effect.Request) async {
        guard let agent, let supervisor else { return }
        let settings = await supervisor.settings
        switch request {
        case .beginTurn(let epoch): await beginTurn(epoch, supervisor, agent)
        case .contain(let epoch, let app, let listed, let instances):
            let gone = endedInstances(of: app).filter { !instances.contains($0) }
            let senders = await connections(of: instances, supervisor)
            var report = await contain(epoch, app, listed, instances + gone, settings, supervisor, agent)
            if report.outcome != .failed, let why = await stillThere(senders) {
                report.outcome = .failed
                report.explanation = [report.explanation, why].filter { !$0.isEmpty }.joined(separator: "; ")
            }
            if report.outcome != .failed { forgetEnded(gone, of: app) }
            await post(.contained(app, report), from: agent)
        case .signOutBrowser(let epoch): await signOutBrowser(epoch, supervisor, settings, agent)
        case .clearSharedHolders(let epoch):
            var options = Self.begin(of: epoch, await supervisor.machine)
            options["spare"] = .uint32s(await waitingProcesses(supervisor))
            options["listed"] = await supervisor.machine.listedInstances.variant
            options["limit"] = .uint64(settings.barrier.absolute.microseconds / 5 * 2)
            let rows = await call(Agent1.clearSharedHolders, (epoch, options), agent, settings)
            let missing = [Barrier.Holder(name: "session", outcome: .failed, explanation: "the agent did not answer")]
            await post(.sharedHoldersCleared(epoch, rows.map(Self.holders) ?? missing), from: agent)
        case .closeSignIn:
            let clean = await call(Agent1.closeSignIn, (), agent, settings)
            if clean == nil { await endSilent(agent) }
            await post(.signInBrowserClosed(clean: clean ?? false), from: agent)
        }
    }

    /// Opens the page of a sign-in in the agent's browser.
    func openSignIn(_ url: String, _ options: VariantDictionary) async throws(Refusal) {
        guard let agent else { throw .agentMissing }
        do {
            try await connection.call(
                Agent1.openSignIn, (url, options), to: agent, at: Agent1.path, timeout: .seconds(60))
        } catch {
            log.error("the agent did not open the sign-in page", metadata: ["error": "\(error)"])
            if self.agent != agent { throw .agentMissing }
            throw .failed
        }
    }

    private func beginTurn(_ epoch: Epoch, _ supervisor: Supervisor, _ agent: BusName) async {
        let pages = await supervisor.provider.browserPages()
        let machine = await supervisor.machine
        // Sent before the turn's end is, or not at all.
        guard let turn = machine.ledger.device.turn, turn.epoch == epoch, mayBegin(epoch), self.agent == agent else {
            return
        }
        var options = Self.begin(of: epoch, machine)
        if let pages {
            // An issuer has no fragment, so the first # ends it.
            options["issuer"] = .string(String(turn.holder.id.prefix { $0 != "#" }))
            options["end-session"] = .string(pages.endSession)
            if !pages.logOuts.isEmpty { options["log-outs"] = .strings(pages.logOuts) }
            options["post-logout"] = .string(pages.postLogout)
        }
        do {
            try await connection.call(
                Agent1.beginTurn, (epoch, Account(turn.holder).dictionary, options), to: agent, at: Agent1.path,
                timeout: .seconds(20))
        } catch {
            if self.agent == agent {
                log.error("the agent did not begin the turn", metadata: ["epoch": "\(epoch)", "error": "\(error)"])
            }
        }
    }

    private func connections(of instances: [Instance], _ supervisor: Supervisor) async -> [BusName] {
        let registrations = await supervisor.machine.ledger.registrations
        return instances.compactMap { registrations[$0] }.filter(\.connected).compactMap { BusName($0.sender) }
    }

    /// A connection on the bus is not gone, whatever became of the process that made it: it was handed to another.
    private func stillThere(_ senders: [BusName]) async -> String? {
        // The bus may hear a moment later than the agent that a process has ended.
        let limit = SuspendingClock.now.advanced(by: .seconds(1))
        var left = senders
        while !left.isEmpty {
            var rest: [BusName] = []
            for name in left where (try? await connection.hasOwner(name)) != false { rest.append(name) }
            left = rest
            guard !left.isEmpty, SuspendingClock.now < limit else { break }
            try? await connection.thread.sleep(for: .milliseconds(20))
        }
        guard let first = left.first else { return nil }
        return "its connection \(first.rawValue) is still on the bus, in a process that was handed it"
    }

    /// When a turn began; what a clock says that is not known is left out.
    private static func begin(of epoch: Epoch, _ machine: Machine) -> VariantDictionary {
        guard let begin = machine.begin(of: epoch) else { return ["began": .int64(0)] }
        var options: VariantDictionary = ["began": .int64(begin.wall)]
        if let boottime = begin.boottime {
            // Another boot's clock says nothing here but that all its processes are gone.
            let isThisBoot = begin.bootID == machine.ledger.device.bootID
            options["began-boottime"] = .uint64(isThisBoot ? boottime : .max)
        }
        return options
    }

    private func signOutBrowser(
        _ epoch: Epoch, _ supervisor: Supervisor, _ settings: Settings, _ agent: BusName
    ) async {
        let provider = await supervisor.provider
        // Inside the time after which batond quarantines anyway, so that the receipt says what was missing.
        var options: VariantDictionary = ["limit": .uint64(settings.barrier.absolute.microseconds / 5 * 4)]
        let page = settings.browser.isManaged ? await provider.beginBrowserLogOut(epoch) : nil
        if let page {
            options["log-out-url"] = .string(page.url)
            options["log-out-answer"] = .string(page.answer)
        }
        let result = await call(Agent1.signOutBrowser, (epoch, options), agent, settings)
        if result == nil { await endSilent(agent) }
        if page != nil {
            await provider.endBrowserLogOut(epoch, isConfirmed: result?["log-out"]?.string == "confirmed")
        }
        let check = CheckOutcome(rawValue: result?["outcome"]?.string ?? "") ?? .failed
        let text = result?["explanation"]?.string ?? "the agent did not answer"
        let checks = Self.holders(result?["checks"]?.dictionaries ?? [])
        await post(.browserSignedOut(epoch, check, String(text.prefix(1024)), checks: checks), from: agent)
    }

    /// An agent that does not answer leaves the worker's browser on the screen. One that batond started ends with all that it
    /// has started, and the next one makes up for what is missing; another user's batond cannot end.
    private func endSilent(_ agent: BusName) async {
        guard self.agent == agent, let child, let pid = try? await connection.credentials(of: agent).pid,
            self.agent == agent, await child.kill(pid)
        else { return }
        log.error("the agent did not answer about a browser and was ended with all that it started")
    }

    /// The processes that wait for this very sign-out: to end them as strays would leave them without an answer.
    private func waitingProcesses(_ supervisor: Supervisor) async -> [UInt32] {
        var processes: Set<UInt32> = []
        for sender in await supervisor.waitingSenders {
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

    private func contain(
        _ epoch: Epoch, _ app: AppKey, _ listed: Bool, _ instances: [Instance], _ settings: Settings,
        _ supervisor: Supervisor, _ agent: BusName
    ) async -> Containment {
        let file = listed ? settings.apps.first { $0.id == app.id } : nil
        let wipe = (file?.wipe ?? []) + (file?.home.wipe ?? [])
        let keep = (file?.keep ?? []) + (file?.home.keep ?? [])
        let request: VariantDictionary = [
            // Without its file nobody knows what to wipe, which is not the same as nothing to wipe.
            "uid": .uint32(app.uid), "id": .string(app.id), "listed": .boolean(file != nil),
            "instances": instances.variant, "wipe": .strings(wipe),
            "keep": .strings(keep.filter { kept in wipe.contains { DataDirectory.lies(kept, in: $0) } }),
            "limit": .uint64(settings.barrier.containment.microseconds),
        ]
        let result = await contained {
            // It may have had to wait for so long that nobody wants it any more, and the app be the next worker's.
            guard await supervisor.machine.isContaining(app, in: epoch) else { return nil }
            return await call(Agent1.contain, (epoch, request), agent, settings)
        }
        guard let result else {
            return Containment(
                epoch: epoch, outcome: .failed, instances: instances, explanation: "the agent did not answer")
        }
        var containment = Containment(
            epoch: epoch, outcome: ContainmentOutcome(rawValue: result["outcome"]?.string ?? "") ?? .failed,
            instances: instances, proof: String((result["proof"]?.string ?? "").prefix(64)),
            explanation: String((result["explanation"]?.string ?? "").prefix(1024)))
        // A process id says nothing of what the app has started and let go of. Where the agent starts the app it could
        // know better; of apps that start themselves nobody can.
        let isManaged = file?.command.isEmpty == false
        if isManaged, containment.proof == "pid", !settings.agent.acceptsWeakProof, containment.outcome != .failed {
            containment.outcome = .failed
            containment.explanation = [
                containment.explanation, "process ids alone prove nothing of an app that the agent starts",
            ]
            .filter { !$0.isEmpty }.joined(separator: "; ")
        }
        return containment
    }
}
