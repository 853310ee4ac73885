import BatonContract
import DBus
import Log
import Logging
import SessionMachine
import Vocabulary

/// What is asked about apps and their processes.
extension AgentLink {
    /// Has an agent that has just come take the settings and hold on to all that takes part.
    func prepare(_ plans: [WatchPlan], _ agent: Present) async {
        guard await isConfigured(agent) else { return }
        // Tasks of this actor and no group of them, whose tasks would begin in the pool of threads.
        let watches = plans.map { plan in
            Task(executorPreference: connection.thread.tasks) { await self.watch(plan, agent) }
        }
        for watch in watches { await watch.value }
        guard isPresent(agent) else { return }
        log.tell(.agentRegistered, .info, "the agent has registered", ["sender": "\(agent.name.rawValue)"])
        post(.agentHolds(agent.held, uid: agent.user))
        post(.agentRegistered(agent.number))
    }

    func watch(_ plan: WatchPlan, _ agent: Present) async {
        guard let name = BusName(plan.sender) else { return }
        await inWatchPlace {
            guard isPresent(agent) else { return }
            do {
                let isHeld = try await connection.call(
                    Agent1.watchProcess, (plan.instance, name.rawValue, UInt32(clamping: plan.pid)), to: agent.name,
                    at: Agent1.path, timeout: .seconds(5))
                guard isPresent(agent) else { return }
                post(.agentReported(agent.number, .watch(plan, isHeld ? .held : .refused)))
                // A process that is not there cannot hold anything.
                if !isHeld, plan.pid > 0, Supervisor.isGone(plan.pid) { post(.processExited(plan.instance)) }
            } catch DBusError.disconnected {
                // There is no agent any more, nor any other peer.
            } catch {
                guard isPresent(agent) else { return }
                log.warning(
                    "the agent does not watch an app's process yet",
                    metadata: ["app": "\(plan.app.id)", "instance": "\(plan.instance)", "error": "\(error)"])
                post(.agentReported(agent.number, .watch(plan, .unanswered)))
            }
        }
    }

    /// Whether the agent says that it started this process for that app; false when it does not answer.
    package func hasStarted(_ pid: Int32, for app: String) async -> Bool {
        guard let agent = present else { return false }
        return
            (try? await connection.call(
                Agent1.hasStarted, (app, UInt32(clamping: pid)), to: agent.name, at: Agent1.path,
                timeout: .seconds(5)))
            ?? false
    }

    func contain(_ plan: ContainmentPlan, _ number: UInt64, _ agent: Present) async {
        var order = ContainmentOrder()
        order.app = plan.app.id
        order.isListed = plan.isListed
        order.instances = plan.instances
        order.wipe = plan.data.wipe
        order.keep = plan.data.keep
        order.limit = .microseconds(Int64(clamping: plan.limit))
        let reply: Reply<ContainmentResult>? = await inPlace { [order] in
            // It may have had to wait for so long that no caller wants it any more, and the app be the next worker's.
            guard takeWaiting(number), isPresent(agent) else { return nil }
            return await call(Agent1.contain, order, agent)
        }
        guard let reply else { return }
        let result = reply.answer
        var containment = Containment(
            epoch: plan.epoch, outcome: result?.outcome ?? .failed, instances: plan.instances,
            proof: result?.proof, explanation: Explanation(said: result?.explanation ?? reply.explanation))
        if containment.outcome != .failed, let why = await stillThere(plan.connections.compactMap { BusName($0) }) {
            containment.outcome = .failed
            containment.explanation.parts.append(.said(why))
        }
        await report(.contained(plan.app, containment), by: agent)
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
        return "its connection \(first.rawValue) is still on the bus, held by another process"
    }
}
