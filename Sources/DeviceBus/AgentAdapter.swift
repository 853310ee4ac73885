import BatonContract
package import DBus
import Providers
import SessionMachine
import Settings
import Supervisor
import Vocabulary

/// Answers `org.baton.Device1.Agent`, to the agent alone.
package struct AgentAdapter {
    let context: CallContext
    let identity: AgentIdentity

    package init(context: CallContext, identity: AgentIdentity) {
        self.context = context
        self.identity = identity
    }

    private static let mostHeld = 1024

    package func serve(on object: inout ServedObject) {
        let context = context
        let identity = identity
        object.answer(DeviceAgent.register) { caller, registration in
            let known = try await context.caller(caller.name)
            do {
                try await identity.check(known, showing: registration.credential)
            } catch {
                await context.supervisor.post(.posedAsAgent(caller.name.rawValue))
                throw error
            }
            guard registration.contract == AgentRegistration.contract else {
                throw BatonError(
                    .failed,
                    "Agent and batond are of two versions. Restart both: baton-agent.service and batond.service.")
            }
            var welcome = AgentWelcome()
            welcome.journalID = await context.supervisor.journalID
            welcome.journalBefore = await context.supervisor.journal.predecessor
            let held = registration.watching.prefix(Self.mostHeld)
            // Last: what is asked of it follows the answer.
            try await context.agent.register(caller.name, user: known.user, holding: Array(held))
            return welcome
        }
        object.answer(DeviceAgent.processExited) { caller, instance in
            let agent = try await context.requireAgent(caller.name)
            await context.supervisor.post(.agentReported(agent, .exited(instance)))
        }
        object.answer(DeviceAgent.launched) { caller, arguments in
            _ = try await context.requireAgent(caller.name)
            let (app, token) = arguments
            guard AppFile.isAppID(app) else { throw BatonError(.invalidArgument, "This is not an app id.") }
            try await context.tokens.launched(app, token)
        }
        object.answer(DeviceAgent.startPage) { caller, isShown in
            let agent = try await context.requireAgent(caller.name)
            await context.supervisor.post(.agentReported(agent, .startPage(isShown: isShown)))
        }
        object.answer(DeviceAgent.idle) { caller, arguments in
            let agent = try await context.requireAgent(caller.name)
            let (epoch, since) = arguments
            await context.supervisor.post(.agentReported(agent, .idle(epoch, since: since == 0 ? nil : since)))
        }
        object.answer(DeviceAgent.stateChanged) { caller, state in
            _ = try await context.requireAgent(caller.name)
            await context.agent.hasChanged(state, sender: caller.name)
        }
        object.answer(DeviceAgent.providerSignedOut) { caller, arguments in
            _ = try await context.requireAgent(caller.name)
            let (issuer, session) = arguments
            return await context.supervisor.provider.handle(frontChannelFrom: issuer, session: session)
        }
        // Its user is that of the apps.
        object.keepRoom(for: DeviceAgent.register)
        object.keepRoom(for: DeviceAgent.processExited)
        object.keepRoom(for: DeviceAgent.idle)
        object.keepRoom(for: DeviceAgent.stateChanged)
        object.keepRoom(for: DeviceAgent.providerSignedOut)
    }
}

extension CallContext {
    /// Which agent the caller is.
    fileprivate func requireAgent(_ sender: BusName) async throws -> AgentNumber {
        guard let number = await agent.number(of: sender) else {
            await supervisor.post(.posedAsAgent(sender.rawValue))
            throw BatonError(.notAuthorized, "Only the registered agent may call this.")
        }
        return number
    }
}
