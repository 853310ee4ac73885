import Vocabulary

/// What is asked of the agent.
extension Machine {
    /// Asks for an answer that the machine waits for.
    ///
    /// - Returns: Whether the agent had not been asked for that already.
    @discardableResult
    mutating func ask(_ request: Effect.Request) -> Bool {
        guard let awaited = request.awaited, agentPresent, asked.insert(awaited).inserted else { return false }
        tell(request)
        return true
    }

    mutating func tell(_ request: Effect.Request) {
        guard let agent else { return }
        emit(.agent(request, of: agent))
    }

    /// The machine waits no more for what was asked.
    mutating func withdraw() {
        guard !asked.isEmpty else { return }
        asked = []
        tell(.withdraw(nil))
    }

    /// The machine waits no more for the end of that app, which may have been asked for twice.
    mutating func withdraw(_ app: AppKey) {
        let rest = asked.filter { if case .contained(app, _) = $0 { false } else { true } }
        guard rest.count < asked.count else { return }
        asked = rest
        tell(.withdraw(app))
    }

    mutating func beginTurn() {
        guard agentPresent, let agent, let turn = ledger.device.turn else { return }
        if policy.hasManagedBrowser {
            emit(.askForPages(turn.epoch, for: agent))
        } else {
            beginTurn(turn.epoch, with: nil, agent)
        }
    }

    /// The turn's begin goes before its end is asked for, or not at all: the provider has taken its time.
    mutating func beginTurn(_ epoch: Epoch, with pages: ProviderPages?, _ agent: AgentNumber) {
        guard phase == .inUse, agentPresent, agent == self.agent, let turn = ledger.device.turn, turn.epoch == epoch
        else { return }
        tell(
            .beginTurn(
                TurnPlan(epoch: epoch, holder: turn.holder, began: began(epoch), user: turn.user, pages: pages)))
    }

    mutating func askToSignOutBrowser(_ barrier: Barrier) {
        // Inside the time after which the device is quarantined anyway, so that the receipt says what was missing.
        ask(
            .signOutBrowser(
                BrowserPlan(
                    epoch: barrier.epoch, isManaged: policy.hasManagedBrowser, limit: policy.absolute / 5 * 4)))
    }

    mutating func askToClearSharedHolders(_ barrier: Barrier) {
        let listed = ledger.registrations.filter { isListed($0.value.app) }.keys.sorted()
        let senders = Set((waiting + [modeCall].compactMap(\.self)).compactMap(\.sender))
        ask(
            .clearSharedHolders(
                SharedHoldersPlan(
                    epoch: barrier.epoch, began: began(barrier.epoch), listed: listed, waiting: senders.sorted(),
                    limit: policy.absolute / 5 * 2)))
    }

    mutating func askToContain(_ app: AppKey) {
        guard let barrier = ledger.barrier, let entry = ledger.roster[app] else { return }
        // Who answered is not stopped, also when it must clear once more because another process ended without a word.
        let instances = (ledger.instancesByApp[app] ?? []).filter { instance in
            guard let registration = ledger.registrations[instance] else { return false }
            guard registration.connected else { return true }
            return owes(registration) != 0 && !registration.hasCleared(barrier.epoch)
        }
        let connections = instances.compactMap { ledger.registrations[$0] }.filter(\.connected).map(\.sender)
        let ended = (endedInstances[app] ?? []).filter { !instances.contains($0) }
        let data = entry.listed ? policy.apps[app.id] : nil
        let isNew = ask(
            .contain(
                ContainmentPlan(
                    epoch: barrier.epoch, app: app, isListed: data != nil, instances: instances + ended,
                    connections: connections, data: data ?? AppData(), limit: policy.containment)))
        if isNew { endedUnasked.remove(app) }
    }

    /// What a clock says that is not known is left out.
    private func began(_ epoch: Epoch) -> TurnBegin {
        guard let begin = begin(of: epoch) else { return TurnBegin(wall: 0, boottime: nil) }
        // Another boot's clock says nothing here but that all its processes are gone.
        let isThisBoot = begin.bootID == ledger.device.bootID
        return TurnBegin(wall: begin.wall, boottime: begin.boottime.map { isThisBoot ? $0 : .max })
    }

    // MARK: Processes that the agent holds on to

    private static let mostEnded = 256

    mutating func askToWatch(_ instance: Instance, again: Bool = false) {
        guard let plan = watchPlan(instance) else { return }
        tell(.watch(plan, again: again))
    }

    func watchPlan(_ instance: Instance) -> WatchPlan? {
        ledger.registrations[instance].map {
            WatchPlan(instance: instance, app: $0.app, sender: $0.sender, pid: $0.pid)
        }
    }

    mutating func watched(_ plan: WatchPlan, _ watch: AgentReport.Watch) {
        switch watch {
        // What has gone meanwhile has ended, or has registered anew.
        case .held: if ledger.registrations[plan.instance] != nil { watched[plan.instance] = plan.app }
        case .refused: break
        // An app whose process is not watched could not be contained.
        case .unanswered: askToWatch(plan.instance, again: true)
        }
    }

    /// A process that the agent held on to may have left others running, which are contained with the app.
    mutating func noteEnd(of instance: Instance) {
        guard let app = watched.removeValue(forKey: instance) ?? ledger.registrations[instance]?.app,
            endedInstances[app]?.contains(instance) != true
        else { return }
        guard endedInstances[app] != nil || endedInstances.count < Self.mostEnded else { return }
        endedInstances[app, default: []].append(instance)
        // The agent forgets the oldest too.
        if let count = endedInstances[app]?.count, count > Self.mostEnded { endedInstances[app]?.removeFirst() }
    }

    /// They were looked for, and nothing of them runs.
    mutating func forgetEnded(_ instances: [Instance], of app: AppKey) {
        endedInstances[app]?.removeAll(where: instances.contains)
        if endedInstances[app]?.isEmpty == true { endedInstances[app] = nil }
    }
}
