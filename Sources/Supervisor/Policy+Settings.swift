import Providers
import SessionMachine
import Settings
import Vocabulary

extension Policy {
    /// The settings in the machine's terms.
    ///
    /// - Parameter turns: The Unix users of turns that this machine has.
    init(_ settings: Settings, _ turns: TurnKeeper? = nil) {
        let (barrier, limits) = (settings.barrier, settings.limits)
        self.init(
            soft: barrier.soft.microseconds, hard: barrier.hard.microseconds,
            absolute: barrier.absolute.microseconds, containment: barrier.containment.microseconds,
            unproven: barrier.unproven, acceptsUnlistedApps: barrier.unlistedApps == .accept,
            countdown: settings.automaticSignOut.countdown.microseconds,
            signInTimeout: settings.signInTimeout.microseconds, agentRequired: settings.agent.required,
            agentGrace: settings.agent.grace.microseconds, remembersPrevious: Memory(settings.rememberPrevious),
            participants: limits.participants, participantsPerUser: limits.participantsPerUser,
            debtsPerUser: limits.debtsPerUser)
        let acceptsWeakProof = settings.agent.acceptsWeakProof
        apps = Dictionary(
            settings.apps.map { ($0.id, AppData($0, acceptsWeakProof: acceptsWeakProof)) },
            uniquingKeysWith: { first, _ in first })
        provenApps = Set(settings.apps.filter { $0.participant == .required }.map(\.id))
        providerWait = settings.openID?.signOutWait.microseconds
        idle = settings.automaticSignOut.idle?.microseconds
        lock = settings.automaticSignOut.lock?.microseconds
        lockGrace = settings.automaticSignOut.lockGrace.microseconds
        workersHavePINs = settings.openID == nil
        comesBackByPhone = settings.openID != nil && settings.startPage.offersPhone
        longestTurn = settings.automaticSignOut.turn?.microseconds
        anyInputStays = settings.automaticSignOut.anyInputStays
        hasManagedBrowser = settings.browser.isManaged
        turnUsers = Set((turns?.users ?? []).map(\.uid))
        pagePatience = settings.browser.isManaged ? settings.browser.startLimit.microseconds : nil
    }
}

extension Policy.Memory {
    fileprivate init(_ settings: Settings.RememberPrevious) {
        self =
            switch settings {
            case .always: .always
            case .off: .off
            case .duration(let span): .duration(span.microseconds)
            }
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
