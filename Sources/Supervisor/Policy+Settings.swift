internal import Providers
internal import SessionMachine
internal import Settings

extension Policy {
    /// The settings in the machine's terms.
    init(_ settings: Settings) {
        self.init()
        soft = settings.barrier.soft.microseconds
        hard = settings.barrier.hard.microseconds
        absolute = settings.barrier.absolute.microseconds
        containment = settings.barrier.containment.microseconds
        unproven = settings.barrier.unproven
        acceptsUnlistedApps = settings.barrier.unlistedApps == .accept
        let acceptsWeakProof = settings.agent.acceptsWeakProof
        apps = Dictionary(
            settings.apps.map { ($0.id, AppData($0, acceptsWeakProof: acceptsWeakProof)) },
            uniquingKeysWith: { first, _ in first })
        provenApps = Set(settings.apps.filter { $0.participant == .required }.map(\.id))
        countdown = settings.automaticSignOut.countdown.microseconds
        signInTimeout = settings.signInTimeout.microseconds
        providerWait = settings.openID?.signOutWait.microseconds
        agentRequired = settings.agent.required
        agentGrace = settings.agent.grace.microseconds
        pagePatience = settings.browser.isManaged ? settings.browser.startLimit.microseconds : nil
        remembersPrevious =
            switch settings.rememberPrevious {
            case .always: .always
            case .off: .off
            case .duration(let span): .duration(span.microseconds)
            }
        participants = settings.limits.participants
        participantsPerUser = settings.limits.participantsPerUser
        debtsPerUser = settings.limits.debtsPerUser
    }
}

extension AppData {
    fileprivate init(_ app: AppSettings, acceptsWeakProof: Bool) {
        let wipe = app.wipe + app.home.wipe
        self.init(
            wipe: wipe,
            keep: (app.keep + app.home.keep).filter { kept in wipe.contains { DataDirectory.lies(kept, in: $0) } },
            needsStrongProof: !app.command.isEmpty && !acceptsWeakProof)
    }
}
