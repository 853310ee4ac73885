import BatonContract
package import DBus
import Journal
import Log
import Logging
import Providers
import SessionMachine
import Settings
import Supervisor
import Vocabulary

/// Answers `org.baton.Device1`.
package struct DeviceAdapter {
    let context: CallContext

    package init(context: CallContext) { self.context = context }

    package func serve(on object: inout ServedObject) {
        let context = context
        object.respond(to: Device1.getDeviceMode) { _, responder in
            responder.reply(context.supervisor.assumeIsolated { $0.mode.rawValue })
        }
        object.answer(Device1.getDeviceInformation) { _, _ in await context.information().dictionary }
        object.answer(Device1.getCurrentAccount) { caller, _ in try await context.currentAccount(caller.name) }
        object.answer(Device1.signIn) { caller, options in try await context.signIn(caller.name, options) }
        object.answer(Device1.cancelSignIn) { caller, _ in try await context.cancelSignIn(caller) }
        object.respond(to: Device1.signOut) { options, responder in context.signOut(options, responder) }
        object.answer(Device1.keepSignedIn) { _, _ in
            try await context.supervisor.ask { .keepSignedIn($0) }.done()
        }
        object.answer(Device1.lock) { _, options in try await context.lock(options) }
        object.answer(Device1.unlock) { caller, options in try await context.unlock(caller.name, options) }
        object.answer(Device1.getReceipt) { caller, epoch in try await context.receipt(caller, epoch).dictionary }
        object.answer(Device1.listReceipts) { caller, newest in
            try await context.receipts(caller, newest).map(\.dictionary)
        }
        object.keepRoom(for: Device1.signOut)
        object.keepRoom(for: Device1.cancelSignIn)
        object.emits(Device1.signInStep)
        object.emits(Device1.signedIn)
        object.emits(Device1.signingOut)
        object.emits(Device1.signedOut)
        object.emits(Device1.automaticSignOutPending)
        object.emits(Device1.automaticSignOutCancelled)
        object.property(Device1.deviceMode) { _ in await context.supervisor.publicState.mode.rawValue }
        object.property(Device1.phase) { _ in await context.supervisor.publicState.phase.rawValue }
        object.property(Device1.epoch) { _ in await context.supervisor.publicState.epoch }
        object.property(Device1.currentAccount) { try await context.account(for: $0.name).currentAccount }
        object.property(Device1.previousAccount) { try await context.account(for: $0.name).previousAccount }
        object.property(Device1.locked) { _ in await context.supervisor.publicState.isLocked }
        object.property(Device1.deadline) { _ in await context.supervisor.publicState.deadline }
        object.property(Device1.version) { _ in context.facts.version }
    }
}

extension PublicState {
    var currentAccount: VariantDictionary { current.map { Account($0).dictionary } ?? [:] }
    var previousAccount: VariantDictionary { previous.map { Account($0).dictionary } ?? [:] }
}

extension CallContext {
    fileprivate func information() async -> DeviceInformation {
        let state = await supervisor.publicState
        let settings = await supervisor.settings
        let found = await agent.state
        let pins = await supervisor.provider.wrongPINs()
        var information = DeviceInformation(
            mode: DeviceMode(state.mode),
            phase: state.phase, epoch: state.epoch,
            deviceID: await supervisor.journal.deviceID, hostname: facts.hostname, version: facts.version,
            bootID: facts.bootID,
            started: facts.started, since: await supervisor.written.holderSince ?? 0,
            identity: await supervisor.provider.kind, issuer: await supervisor.provider.issuer,
            tenant: await supervisor.provider.tenant,
            agent: await supervisor.written.isAgentPresent ? .present : .away,
            browser: Self.browser(settings.browser.kind, found),
            participants: UInt32(clamping: await supervisor.written.connectedParticipants), bus: facts.bus,
            journalID: await supervisor.journalID, idle: found.map(\.idle) ?? .nothing,
            explanation: await supervisor.written.quarantineExplanation?.text ?? "",
            missing: await supervisor.missing ?? "", containment: found?.proof,
            session: found?.display ?? "", warnings: found?.warnings ?? [],
            commandLineOrigins: settings.commandLineOrigins, isAgentRequired: settings.agent.required,
            browserExecutable: settings.browser.executable, wrongPINs: UInt32(clamping: pins.tries),
            lockedAccounts: UInt32(clamping: pins.locked))
        information.lockEnds = await supervisor.written.provenLock?.until ?? 0
        if let countdown = await supervisor.written.pending {
            (information.countdownEnds, information.countdownReason) = (countdown.deadline, countdown.reason)
        }
        information.journalBefore = await supervisor.journal.predecessor
        return information
    }

    /// While the agent is away, what the settings want of it.
    private static func browser(_ kind: BrowserKind, _ found: AgentState?) -> BrowserDescription {
        guard let found else { return BrowserDescription(kind) }
        return found.browser.isEmpty ? .none : BrowserDescription(rawValue: found.browser)
    }

    fileprivate func currentAccount(
        _ sender: BusName
    ) async throws -> (Epoch, VariantDictionary, VariantDictionary) {
        let state = try await account(for: sender)
        return (state.epoch, await supervisor.account(of: state.current, in: state.epoch), state.previousAccount)
    }

    /// What callers may see who have nothing to clear first.
    fileprivate func account(for sender: BusName) async throws -> PublicState {
        let owes = await supervisor.written.mustClear(sender.rawValue)
        if owes != 0 { throw BatonError(Refusal.mustClearFirst(owes)) }
        return await supervisor.publicState
    }

    fileprivate func signIn(_ sender: BusName, _ options: VariantDictionary) async throws -> (Epoch, VariantDictionary)
    {
        var request = try await SignInRequest(options, kind: supervisor.provider.kind)
        request.isFromPage = await agent.isAgent(sender)
        // An agent that is just starting, as after activation by this very call, is worth waiting for.
        await supervisor.waitForAgent(atMost: .seconds(5))
        let answer = await supervisor.signIn(request, sender: sender.rawValue)
        return try answer.value { answer in
            guard case .signedIn(let epoch, let holder) = answer else { return nil }
            return (epoch, Account(holder).dictionary)
        }
    }

    fileprivate func cancelSignIn(_ caller: Caller) async throws {
        let (principal, sender) = (try await self.caller(caller.name), caller.name.rawValue)
        let isAgent = await agent.isAgent(caller.name)
        let answer = await supervisor.ask { .cancelSignIn($0, sender, privileged: isAgent) }
        // Its own it may cancel without more.
        guard case .refused(.notAuthorizedToCancel) = answer,
            case .success = await standing(caller, principal, for: .signOutOther)
        else { return try answer.done() }
        try await supervisor.ask { .cancelSignIn($0, sender, privileged: true) }.done()
    }

    /// The worker's own word needs no questions, so its answer leaves with the last signal and without a change of thread.
    fileprivate func signOut(
        _ options: VariantDictionary, _ responder: Responder<(Epoch, VariantDictionary)>
    ) {
        let caller = responder.caller
        guard options.isEmpty else {
            let task = Task.immediate(executorPreference: connection.thread.tasks) {
                await responder.reply { try await signOut(caller, options) }
            }
            return responder.onCallerLeft { task.cancel() }
        }
        let sender = caller.name
        supervisor.assumeIsolated { supervisor in
            let journalID = supervisor.journalID
            supervisor.ask({ .signOut($0, epoch: nil, .user, from: sender.rawValue) }) { answer in
                responder.reply { try answer.signedOut(journalID) }
            }
        }
    }

    private func signOut(
        _ caller: Caller, _ options: VariantDictionary
    ) async throws -> (Epoch, VariantDictionary) {
        var options = try SignOutOptions(fromCaller: options)
        let sender = caller.name
        // No caller may give a reason that only the supervisor itself says.
        switch options.reason {
        case .user: break
        case .browser, .idle, .sleep, .shutdown:
            if await agent.isAgent(sender) { break }
            throw BatonError(.notAuthorized, "Only the agent may give the reason '\(options.reason.rawValue)'.")
        case .administrator:
            // Until polkit has answered, another worker may hold the device, who is not meant.
            let asked = await supervisor.machine
            if options.epoch == nil, asked.phase != .signingIn { options.epoch = asked.ledger.device.epoch }
            let wish = options
            return try await administer(
                .signedOutByAdministrator, "the worker was to be signed out", for: caller, as: .signOutOther
            ) {
                try await signOut(sender, for: wish)
            }
        case .expired, .provider, .lock, .agentLost, .recovery:
            throw BatonError(.notAuthorized, "Only batond itself may give the reason '\(options.reason.rawValue)'.")
        }
        return try await signOut(sender, for: options)
    }

    /// For a reason that this caller may give.
    private func signOut(_ sender: BusName, for options: SignOutOptions) async throws -> (Epoch, VariantDictionary) {
        let answer = await supervisor.ask { .signOut($0, epoch: options.epoch, options.reason, from: sender.rawValue) }
        let signedOut = try answer.signedOut(await supervisor.journalID)
        if options.wipesAccount {
            try await supervisor.ask { .forgetPrevious($0, signedOut.0) }.done()
        }
        return signedOut
    }

    fileprivate func receipt(_ caller: Caller, _ epoch: Epoch) async throws -> Receipt {
        guard let record = try await supervisor.journal.receipt(of: epoch) else {
            throw BatonError(.invalidArgument, "There is no receipt of turn \(epoch).")
        }
        return await shown(
            record, to: caller.name, isAdministrator: try await isAdministrator(caller, for: .readReceipts))
    }

    /// How much of the journal one answer carries, in bytes: a thousand receipts of an ordinary terminal, and little beside
    /// what a bus takes. An answer above that ends batond's connection.
    private static let listed = 2 << 20

    fileprivate func receipts(_ caller: Caller, _ newest: UInt32) async throws -> [Receipt] {
        let isAdministrator = try await isAdministrator(caller, for: .readReceipts)
        return try await reading.pass {
            // Who has left meanwhile is read nothing.
            try Task.checkCancellation()
            return try await receipts(caller.name, newest, isAdministrator)
        }
    }

    private func receipts(_ sender: BusName, _ newest: UInt32, _ isAdministrator: Bool) async throws -> [Receipt] {
        let found = try await supervisor.journal.newestReceipts(Int(clamping: newest), bytes: Self.listed)
        var receipts: [Receipt] = []
        for record in found.receipts {
            receipts.append(await shown(record, to: sender, isAdministrator: isAdministrator))
        }
        if found.leftOut > 0, let last = receipts.indices.last {
            receipts[last].leftOut = UInt32(clamping: found.leftOut)
        }
        return receipts
    }

    private func shown(_ record: ReceiptRecord, to sender: BusName, isAdministrator: Bool) async -> Receipt {
        let tookPart = await supervisor.tookPart(sender.rawValue, in: record.epoch)
        return Receipt(
            record, journalID: await supervisor.journalID, isForEverybody: !isAdministrator && !tookPart)
    }
}

extension Answer {
    fileprivate func signedOut(_ journalID: String) throws -> (Epoch, VariantDictionary) {
        try value { answer in
            guard case .signedOut(let epoch, let record) = answer else { return nil }
            return (epoch, record.map { Receipt($0, journalID: journalID).dictionary } ?? [:])
        }
    }
}
