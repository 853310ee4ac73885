internal import BatonContract
internal import CLinux
internal import DBus
internal import Glibc
internal import Logging
internal import Supervision
internal import Vocabulary

/// The processes of the apps: those that the agent holds on to, and those that have ended.
extension AgentLink {
    private static let mostEnded = 256

    /// The process of a registration has ended.
    func exited(_ instance: Instance) {
        guard let app = watched.removeValue(forKey: instance) else { return }
        guard ended[app] != nil || ended.count < Self.mostEnded else { return }
        ended[app, default: []].append(instance)
        // The agent forgets the oldest too.
        if let count = ended[app]?.count, count > Self.mostEnded { ended[app]?.removeFirst() }
    }

    /// The registrations of an app whose processes ended in this turn.
    func endedInstances(of app: AppKey) -> [Instance] { ended[app] ?? [] }

    /// They were looked for, and nothing of them runs.
    func forgetEnded(_ instances: [Instance], of app: AppKey) {
        ended[app]?.removeAll { instances.contains($0) }
        if ended[app]?.isEmpty == true { ended[app] = nil }
    }

    /// Asks the agent to hold on to the process behind a registration. What the agent did not answer is asked again, after
    /// this has returned: an app whose process nobody watches could not be contained.
    func watch(_ instance: Instance, of app: AppKey, _ sender: BusName, _ pid: Int32) async {
        guard let agent, await !isDecided(instance, of: app, sender, pid, by: agent) else { return }
        Task(executorPreference: connection.thread.tasks) {
            await self.watchAgain(instance, of: app, sender, pid, by: agent)
        }
    }

    private func watchAgain(
        _ instance: Instance, of app: AppKey, _ sender: BusName, _ pid: Int32, by agent: BusName
    ) async {
        repeat {
            try? await connection.thread.sleep(for: .seconds(1))
            guard self.agent == agent, await supervisor?.machine.ledger.registrations[instance] != nil else { return }
        } while await !isDecided(instance, of: app, sender, pid, by: agent)
    }

    /// Whether the agent has said if it watches.
    private func isDecided(
        _ instance: Instance, of app: AppKey, _ sender: BusName, _ pid: Int32, by agent: BusName
    ) async -> Bool {
        await withCheckedContinuation { watches.take($0) }
        defer { watches.giveBack() }
        do {
            let isWatching = try await connection.call(
                Agent1.watchProcess, (instance, sender.rawValue, UInt32(clamping: pid)), to: agent, at: Agent1.path,
                timeout: .seconds(5))
            guard self.agent == agent else { return true }
            if isWatching {
                watched[instance] = app
            } else if pid > 0, Self.isGone(pid) {
                // A process that is not there cannot hold anything.
                await supervisor?.post(.processExited(instance))
            }
            return true
        } catch {
            guard self.agent == agent else { return true }
            log.warning(
                "the agent does not watch an app's process yet",
                metadata: ["app": "\(app.id)", "instance": "\(instance)", "error": "\(error)"])
            return false
        }
    }

    /// Whether the agent says that it started this process for that app; false when it does not answer.
    func hasStarted(_ pid: Int32, for app: String) async -> Bool {
        guard let agent else { return false }
        return
            (try? await connection.call(
                Agent1.hasStarted, (app, UInt32(clamping: pid)), to: agent, at: Agent1.path, timeout: .seconds(5)))
            ?? false
    }

    /// Tells the machine which processes that left the bus have ended since, where there is no agent that would: until then
    /// they keep their places. What their apps owe stays owed.
    ///
    /// - Returns: Whether there was one.
    func tellEnded() async -> Bool {
        guard agent == nil, let supervisor else { return false }
        let ledger = await supervisor.machine.ledger
        return await tellEnded(among: ledger.registrations.filter { !$0.value.connected }.keys.sorted(), ledger)
    }

    /// The same for one app, whether or not there is an agent: its word may come later than that of the app's next instance,
    /// which would then not pay for a process that was gone before it came. That it has left the bus may still wait to be heard.
    func tellEnded(of app: AppKey) async {
        guard let ledger = await supervisor?.machine.ledger else { return }
        _ = await tellEnded(among: ledger.instancesByApp[app] ?? [], ledger)
    }

    private func tellEnded(among instances: [Instance], _ ledger: Ledger) async -> Bool {
        let gone = instances.filter { instance in
            guard let pid = ledger.registrations[instance]?.pid else { return false }
            return pid > 0 && Self.isGone(pid)
        }
        for instance in gone {
            exited(instance)
            await supervisor?.post(.processExited(instance))
        }
        return !gone.isEmpty
    }

    /// No process of that number runs; one that ended and that its parent has not waited for is none. Asking that needs no
    /// power over it.
    private static func isGone(_ pid: Int32) -> Bool {
        if kill(pid, 0) == -1, errno == ESRCH { return true }
        let process = baton_pidfd_open(pid)
        guard process >= 0 else { return false }
        defer { close(process) }
        var look = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
        return poll(&look, 1, 0) == 1
    }
}
