import Baton
import Clearing
import Display
import LinuxSystem
import Presentation
import Vocabulary

extension Kiosk {
    /// What start pages ask for, and what they see.
    var outside: StartPageServer.Outside {
        StartPageServer.Outside(
            wish: { [weak self] wish in await self?.fulfil(wish) ?? .none },
            response: { [link] url in await link.handleResponse(url) },
            frontChannel: { [link] issuer, session in
                await link.providerSignedOut(issuer: issuer, session: session)
            },
            saw: { [weak self] _, browser in await self?.sawLogOut(in: browser) },
            lost: { [weak self] browser in await self?.browsers?.lost(browser) },
            icon: { [weak self] app in await self?.icon(of: app) })
    }

    private func fulfil(_ wish: StartPageServer.Wish) async -> WorkerLine {
        await startPages?.change { $0.message = "" }
        return await noted(wish) { await perform(wish) }
    }

    private func perform(_ wish: StartPageServer.Wish) async -> WorkerLine {
        switch wish {
        case .lock(let pin): return await link.lock(pin: pin)
        case .lockWithoutPIN: return await link.lockWithoutPIN()
        case .signIn(let username, let pin): return await link.signIn(username: username, pin: pin)
        case .signInAgain(let tile, let pin):
            guard let username = recent.username(of: tile) else { return .message(.failed) }
            return await link.signIn(username: username, pin: pin)
        case .signInAtProvider: return await link.signInAtProvider()
        case .signInWithPhone: return await signInWithPhone()
        case .cancelSignIn: return await link.cancelSignIn()
        case .signOut: return await link.signOut(.user, epoch: nil)
        case .staySignedIn: return await link.keepSignedIn()
        case .open(let app):
            guard let turn else { return .message(.noWorker) }
            let problem = await apps.open(app, in: turn.epoch)
            return problem.isEmpty ? .none : .plain(problem)
        case .ask(let query): return await ask(query)
        }
    }

    private func signInWithPhone() async -> WorkerLine {
        guard configuration.startPage.offersPhone else { return .message(.failed) }
        let pages = startPages
        let answer = await link.signInWithPhone { phone in await pages?.change { $0.phone = phone } }
        await pages?.change { $0.phone = nil }
        return answer
    }

    /// The provider's log-out was requested in some browser; it counts in the worker's.
    private func sawLogOut(in browser: ObjectIdentifier) async {
        guard let turn, await browsers?.isWorkers(browser) == true else { return }
        await browserSignedOut(turn.epoch)
    }

    private func icon(of app: String) async -> (type: String, base64: String)? {
        await AppIcon.load(await apps.icon(of: app))
    }

    /// Asks where the device stands and shows it.
    func refresh() async {
        let hasBegun = turn != nil
        async let asked = link.information()
        let account = hasBegun ? await link.account() : nil
        let information = await asked
        // The turn is about to begin here, too. A page that showed it without its worker first would show the worker later.
        if information?.phase == .inUse, !hasBegun { return }
        // A turn that is being cleared has no account any more, and its worker reads on.
        if account != nil || turn == nil {
            language = account.flatMap { Language(locale: $0.locale) } ?? configuration.startPage.language
        }
        await uncoverLeftover(information)
        let name = account.map { $0.name.isEmpty ? $0.username : $0.name } ?? ""
        holder = information?.phase == .inUse ? name : ""
        guard let startPages else { return }
        let offered = await apps.offered
        let look = configuration.startPage
        let lines = information.map(about) ?? []
        let tiles = await recentTiles(information)
        let hasKeys = look.keyboard == .on || (look.keyboard == .auto && !Keyboards.areThere)
        let canLock = parts.screen != nil && information?.mode == .shared
        await startPages.change { [language] state in
            if state.phase != information?.phase.rawValue { state.message = "" }
            state.phase = information?.phase.rawValue ?? "away"
            state.identity = information?.identity?.rawValue ?? ""
            state.name = account?.name ?? ""
            state.username = account?.username ?? ""
            state.apps = offered
            state.canLock = canLock
            state.developer = look.isForDevelopers ? state.developer ?? DeveloperLog() : nil
            state.developer?.belong(to: account?.id ?? "")
            (state.recent, state.hasKeys, state.about) = (tiles, hasKeys, lines)
            state.since = account == nil ? nil : information.map { $0.since / 1000 }
            state.language = language.rawValue
            state.site = look.name
            state.contact = look.contact
            state.offersPhone = look.offersPhone
            if information?.phase != .signingIn { state.phone = nil }
            if account != nil { state.ended = nil }
        }
    }

    private func recentTiles(_ information: DeviceInformation?) async -> [RecentTiles.Tile] {
        let wanted = configuration.startPage.recent
        guard wanted != .off, information?.phase == .ready, information?.identity == .local else { return [] }
        return recent.tiles(of: await link.recentAccounts(RecentTiles.depth), wanted)
    }

    /// What a person at the terminal may be asked for on the phone.
    private func about(_ information: DeviceInformation) -> [String] {
        [
            information.hostname, "Baton \(information.version)", browsers == nil ? "" : information.browser.rawValue,
            information.session,
        ].filter { !$0.isEmpty }
    }

    /// What happens on the device.
    func heard(_ event: DeviceEvent) async {
        switch event {
        case .phaseChanged(let phase):
            if phase != .clearing { endProgress() }
            if phase != .inUse { await coverForEnd() }
            await endCountdown()
            await refresh()
            switch phase {
            case .ready:
                // Else the page comes to light as it was during the sign-out, and a name that is typed at once goes nowhere.
                if isCovered { await browsers?.untilCurrent(atMost: .milliseconds(300)) }
                await uncover()
            case .signingIn, .inUse: if locked == nil { await uncover() }
            case .quarantined:
                if isCovered {
                    _ = await parts.screen?.cover(outOfService)
                }
            case .clearing: break
            }
            if phase == .ready || phase == .quarantined {
                // Who asked for the sign-out has been answered. Not waited for: the next worker may come.
                Task { [strays = parts.strays] in
                    await strays.endWaitingProcesses(grace: .seconds(2), limit: .seconds(2))
                }
            }
        case .signedOut(let epoch, let account, _):
            await refresh()
            await tellEnd(of: epoch, account?.name ?? "")
        case .appeared, .vanished, .signedIn, .modeChanged: await refresh()
        case .automaticSignOutPending(let reason, let deadline): startCountdown(until: deadline, reason)
        case .automaticSignOutCancelled:
            await endCountdown()
            watchIdleAnew()
        case .signingOut:
            await coverForEnd()
            startProgress()
        }
        // After what it changed: the log of a turn is gone then.
        await note(event)
    }

    /// What an earlier agent has left on the screen: unless the lock goes on, nothing is below it any more that it hides.
    private func uncoverLeftover(_ information: DeviceInformation?) async {
        guard !isCovered, locked == nil, information?.lockEnds == 0, parts.screen?.isCoveredBefore == true else {
            return
        }
        await openScreen()
    }

    /// A lock that becomes a sign-out stays covered.
    private func coverForEnd() async {
        guard locked != nil else { return }
        endLock()
        isCovered = await parts.screen?.cover(WorkerTexts.of(language).signingOut) ?? false
    }

    /// Takes away what may cover it, except a lock that is asked for meanwhile.
    func openScreen() async {
        await parts.screen?.uncover()
        if locked != nil { await showLock() }
    }

    func uncover() async {
        guard isCovered else { return }
        isCovered = false
        await parts.screen?.uncover()
    }

    /// In the device's own language: no worker holds it.
    private var outOfService: String {
        let texts = WorkerTexts.of(configuration.startPage.language)
        let contact = configuration.startPage.contact
        return [
            texts.outOfService,
            contact.isEmpty ? texts.callAdministrator : WorkerTexts.filled(texts.call, ["contact": contact]),
        ].joined(separator: "\n")
    }

    /// How long the page says what became of the turn before.
    private static let farewell = Duration.seconds(12)

    private func tellEnd(of epoch: Epoch, _ name: String) async {
        guard let startPages, let receipt = await link.receipt(epoch), receipt.outcome != .quarantined else { return }
        let ended = EndedTurn(name, receipt)
        await startPages.change { if $0.username.isEmpty { $0.ended = ended } }
        Task {
            try? await OwnTasks.sleep(for: Self.farewell)
            await startPages.change { if $0.ended == ended { $0.ended = nil } }
        }
    }
}
