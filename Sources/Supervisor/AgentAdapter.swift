internal import BatonContract
internal import DBus
internal import Supervision

/// Answers `org.baton.Device1.Agent`, to the agent alone.
struct AgentAdapter {
    let desk: Desk
    let identity: AgentIdentity

    private static let mostHeld = 1024

    func serve(on object: inout ServedObject) {
        let desk = desk
        let identity = identity
        object.answer(DeviceAgent.register) { caller, options in
            try options.allow(["credential": "h", "watching": "at"])
            let known = try await desk.caller(caller.name)
            do {
                try await identity.check(known, showing: options["credential"]?.descriptor)
            } catch {
                await desk.supervisor.post(.posedAsAgent(caller.name.rawValue))
                throw error
            }
            let held = (options["watching"].flatMap([Instance].init) ?? []).prefix(Self.mostHeld)
            try await desk.agent.register(caller.name, user: known.user, holding: Array(held))
            let state = await desk.supervisor.publicState
            let journalID = await desk.supervisor.journalID
            // After the reply: the agent answers questions only when it knows that it is the one.
            await desk.agent.presentLater()
            var answer: VariantDictionary = [
                "epoch": state.epoch.variant, "phase": .string(state.phase.rawValue),
                "journal-id": .string(journalID),
            ]
            answer["journal-before"] = await desk.supervisor.journal.predecessor.map { .string($0) }
            return answer
        }
        object.answer(DeviceAgent.processExited) { caller, instance in
            try await desk.requireAgent(caller.name)
            await desk.agent.exited(instance)
            await desk.supervisor.post(.processExited(instance))
        }
        object.answer(DeviceAgent.launched) { caller, arguments in
            try await desk.requireAgent(caller.name)
            let (app, token) = arguments
            guard AppFile.isAppID(app) else { throw BatonError(.invalidArgument, "This is not an app id.") }
            try await desk.tokens.launched(app, token)
        }
        object.answer(DeviceAgent.signInBrowserClosed) { caller, clean in
            try await desk.requireAgent(caller.name)
            await desk.supervisor.post(.signInBrowserClosed(clean: clean))
        }
        object.answer(DeviceAgent.startPage) { caller, isShown in
            try await desk.requireAgent(caller.name)
            await desk.supervisor.post(.startPage(isShown: isShown))
        }
        object.answer(DeviceAgent.providerSignedOut) { caller, arguments in
            try await desk.requireAgent(caller.name)
            let (issuer, session) = arguments
            return await desk.supervisor.provider.handle(frontChannelFrom: issuer, session: session)
        }
        // Its user is that of the apps.
        object.keepRoom(for: DeviceAgent.register)
        object.keepRoom(for: DeviceAgent.processExited)
        object.keepRoom(for: DeviceAgent.signInBrowserClosed)
        object.keepRoom(for: DeviceAgent.providerSignedOut)
    }
}

extension Desk {
    fileprivate func requireAgent(_ sender: BusName) async throws {
        guard await agent.isAgent(sender) else {
            await supervisor.post(.posedAsAgent(sender.rawValue))
            throw BatonError(.notAuthorized, "Only the registered agent may say that.")
        }
    }
}
