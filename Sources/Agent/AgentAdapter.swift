internal import BatonContract
internal import DBus
internal import Glibc

/// Answers `org.baton.Agent1`, to the supervisor alone.
struct AgentAdapter {
    let agent: Agent

    func serve(on object: inout ServedObject) {
        let agent = agent
        object.answer(Agent1.watchProcess) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (instance, name, pid) = arguments
            return await agent.watchProcess(instance: instance, connection: name, pid: pid)
        }
        object.answer(Agent1.contain) { caller, arguments in
            try await Self.requireSupervisor(caller, agent)
            let (_, app) = arguments
            return try await Self.contain(app, agent)
        }
        object.answer(Agent1.signOutBrowser) { caller, _ in
            try await Self.requireSupervisor(caller, agent)
            return ["outcome": .string("none"), "explanation": .string("no browser is managed")]
        }
        object.answer(Agent1.clearSharedHolders) { caller, _ in
            try await Self.requireSupervisor(caller, agent)
            return [
                [
                    "holder": .string("session"), "outcome": .string("unchecked"),
                    "explanation": .string("this version clears no clipboard, keyring, print jobs or downloads"),
                ]
            ]
        }
        object.answer(Agent1.openSignIn) { caller, _ in
            try await Self.requireSupervisor(caller, agent)
            throw BatonError(.failed, "This agent has no browser. Open the page in one of your own.")
        }
        object.answer(Agent1.closeSignIn) { caller, _ in
            try await Self.requireSupervisor(caller, agent)
            // It opens no page, so none is left.
            return true
        }
    }

    private static func requireSupervisor(_ caller: Caller, _ agent: Agent) async throws {
        guard await agent.isSupervisor(caller.name.rawValue) else {
            throw BatonError(.notAuthorized, "Only the supervisor may ask the agent for anything.")
        }
    }

    private static func contain(_ app: VariantDictionary, _ agent: Agent) async throws -> VariantDictionary {
        guard let listed = app["listed"]?.boolean, let instances = app["instances"]?.uint64s,
            let limit = app["limit"]?.uint64
        else { throw BatonError(.invalidArgument, "Contain takes listed, instances and limit.") }
        let keep = (app["keep"]?.strings ?? []).map(expand)
        let wipes = (app["wipe"]?.strings ?? []).map(expand).map { root in
            Wipe(root: root, keep: keep.filter { $0 == root || $0.hasPrefix(root + "/") })
        }
        let report = await agent.contain(
            instances: instances, wipes: listed ? wipes : nil,
            limit: TimeLimit(.microseconds(Int64(clamping: min(limit, 60_000_000)))))
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
