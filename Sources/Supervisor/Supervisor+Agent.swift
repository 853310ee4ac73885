import CLinux
import DBus
import Glibc
import Providers
package import SessionMachine
import Vocabulary
import Waiting

/// What is asked of the agent, and the wait for one.
extension Supervisor {
    /// Sends a request of the machine on its way, with the provider's log-out page where there may be one.
    func ask(_ request: Effect.Request, of agent: AgentNumber) {
        let order = AgentOrder(request, of: agent)
        guard case .signOutBrowser(let plan) = request, plan.isManaged else {
            outlet?.ask(order)
            return
        }
        Task(executorPreference: thread.tasks) { await self.ask(order, toSignOut: plan) }
    }

    func askForPages(_ epoch: Epoch, for agent: AgentNumber) {
        Task(executorPreference: thread.tasks) { [provider] in
            await self.post(.providerPages(await provider.browserPages(), epoch, for: agent))
        }
    }

    private func ask(_ order: AgentOrder, toSignOut plan: BrowserPlan) async {
        var order = order
        let provider = provider
        if let page = await provider.beginBrowserLogOut(plan.epoch) {
            order.logOut = page
            order.logOutEnded = { await provider.endBrowserLogOut(plan.epoch, isConfirmed: $0) }
        }
        guard let outlet else { return await order.logOutEnded(false) }
        outlet.ask(order)
    }

    // MARK: The wait for an agent

    /// An agent is away, and may be about to come.
    var awaitsAgent: Bool { machine.agentDue.map { now.monotonic < $0 } ?? false }

    /// Waits for an agent that may just be starting.
    ///
    /// Whether there is one to wait for is asked where the waiting begins, with nothing in between: a caller that begins to
    /// wait after the agent came would not be woken. And the machine alone does not know, while its journal takes its time.
    package func waitForAgent(atMost limit: Duration) async {
        guard awaitsAgent, !isAgentAnnounced else { return }
        var timer: BusThread.Timer?
        await agentWaiters.wait(enrolled: { place in
            timer = thread.schedule(after: limit) { [agentWaiters] in agentWaiters.wake(place) }
        })
        if let timer { thread.cancel(timer) }
    }

    /// The news of an agent goes into the mailbox.
    func noteAgent(_ kind: Event.Kind) {
        switch kind {
        case .agentRegistered:
            isAgentAnnounced = true
            agentWaiters.wakeAll()
        case .agentLost: isAgentAnnounced = false
        default: break
        }
    }

    // MARK: Processes that have ended

    /// Tells the machine which processes that left the bus have ended since, where there is no agent that would: until then
    /// they keep their places. What their apps owe stays owed.
    ///
    /// - Returns: Whether there was one.
    package func tellEnded() -> Bool {
        guard machine.agent == nil else { return false }
        return tellEnded(among: machine.ledger.registrations.filter { !$0.value.connected }.keys.sorted())
    }

    /// The same for one app, whether or not there is an agent: its word may come later than that of the app's next instance,
    /// which would then not pay for a process that was gone before it came. That it has left the bus may still wait to be heard.
    package func tellEnded(of app: AppKey) {
        _ = tellEnded(among: machine.ledger.instancesByApp[app] ?? [])
    }

    private func tellEnded(among instances: [Instance]) -> Bool {
        let gone = instances.filter { instance in
            guard let pid = machine.ledger.registrations[instance]?.pid else { return false }
            return pid > 0 && Self.isGone(pid)
        }
        for instance in gone { post(.processExited(instance)) }
        return !gone.isEmpty
    }

    /// No process of that number runs; one that ended and that its parent has not waited for is none. Asking that needs no
    /// power over it.
    nonisolated static func isGone(_ pid: Int32) -> Bool {
        if kill(pid, 0) == -1, errno == ESRCH { return true }
        let process = baton_pidfd_open(pid)
        guard process >= 0 else { return false }
        defer { close(process) }
        var look = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        return poll(&look, 1, 0) == 1
    }
}
